// Sets of attributes as bits, 32 in each word, and their lectic order.

/** @typedef {Uint32Array} Bits A set of attributes. */

/** Returns an empty set. @param {number} count How many attributes there are. @returns {Bits} */
function emptyBits(count) {
  return new Uint32Array(Math.ceil(count / 32));
}

/** Whether a set has an attribute. @param {Bits} set @param {number} one */
function hasBit(set, one) {
  return (set[one >>> 5] & (1 << (one & 31))) !== 0;
}

/** Adds an attribute. @param {Bits} set @param {number} one */
function addBit(set, one) {
  set[one >>> 5] |= 1 << (one & 31);
}

/** Removes an attribute. @param {Bits} set @param {number} one */
function dropBit(set, one) {
  set[one >>> 5] &= ~(1 << (one & 31));
}

/** Returns the set of some attributes. @param {Iterable<number>} which @param {number} count */
function bitsOf(which, count) {
  const set = emptyBits(count);
  for (const one of which) addBit(set, one);
  return set;
}

/** Returns the attributes of a set, ascending. @param {Bits} set @returns {number[]} */
function membersOf(set) {
  /** @type {number[]} */
  const found = [];
  set.forEach((word, place) => {
    for (let rest = word; rest !== 0; rest &= rest - 1) found.push(32 * place + 31 - Math.clz32(rest & -rest));
  });
  return found;
}

/** Whether all attributes of a set are in another. @param {Bits} set @param {Bits} other */
function isSubset(set, other) {
  for (let place = 0; place < set.length; place += 1) if (set[place] & ~other[place]) return false;
  return true;
}

/** Whether two sets are equal. @param {Bits} set @param {Bits} other */
function isSameSet(set, other) {
  return isSubset(set, other) && isSubset(other, set);
}

/** Returns the union of two sets. @param {Bits} set @param {Bits} other @returns {Bits} */
function union(set, other) {
  return set.map((word, place) => word | other[place]);
}

/** Returns the attributes of a set that another lacks. @param {Bits} set @param {Bits} other @returns {Bits} */
function without(set, other) {
  return set.map((word, place) => word & ~other[place]);
}

/** Whether all attributes of a set before a given one are in another. @param {Bits} set @param {Bits} other @param {number} before */
function isSubsetBefore(set, other, before) {
  const last = before >>> 5;
  for (let place = 0; place < last; place += 1) if (set[place] & ~other[place]) return false;
  return (set[last] & ~other[last] & ((1 << (before & 31)) - 1)) === 0;
}

/**
 * Returns the next closed set in lectic order; null after the last one.
 * @param {Bits} set @param {number} count @param {(set: Bits) => Bits} close
 */
function nextClosed(set, count, close) {
  const before = set.slice();
  for (let one = count - 1; one >= 0; one -= 1) {
    if (hasBit(before, one)) {
      dropBit(before, one);
      continue;
    }
    const grown = before.slice();
    addBit(grown, one);
    const closed = close(grown);
    if (isSubsetBefore(closed, before, one)) return closed;
  }
  return null;
}

/** @typedef {{premise: Bits, closure: Bits}} Implied A premise, and it with its conclusion. */

/** Returns all attributes that follow from a set. @param {Bits} set @param {Implied[]} implications @returns {Bits} */
function closedUnder(set, implications) {
  let closed = set;
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false;
    for (const { premise, closure } of implications) {
      if (isSubset(premise, closed) && !isSubset(closure, closed)) {
        closed = union(closed, closure);
        hasGrown = true;
      }
    }
  }
  return closed;
}

/**
 * Orders premises by their size, then lectically: of two sets the smaller one lacks the first attribute in
 * which they differ.
 * @param {Bits} one @param {Bits} other
 */
function comparePremises(one, other) {
  const [size, otherSize] = [membersOf(one).length, membersOf(other).length];
  if (size !== otherSize) return size - otherSize;
  const [first] = membersOf(one.map((word, place) => word ^ other[place]));
  if (first === undefined) return 0;
  return hasBit(other, first) ? -1 : 1;
}

/**
 * Returns the stem base of what follows from implications: as few of them as possible, each with a premise that
 * is closed under the others.
 * @param {Implied[]} implications
 * @returns {Implied[]}
 */
function stemBase(implications) {
  const all = implications.map(({ premise, closure }) => ({ premise, closure: closedUnder(closure, implications) }));
  let base = all;
  for (const one of all) {
    const others = base.filter((other) => other !== one);
    const premise = closedUnder(one.premise, others);
    // What follows from the others is not needed; what is needed keeps its place.
    base = isSameSet(premise, one.closure)
      ? others
      : base.map((other) => (other === one ? { premise, closure: one.closure } : other));
  }
  return base.sort((one, other) => comparePremises(one.premise, other.premise));
}
