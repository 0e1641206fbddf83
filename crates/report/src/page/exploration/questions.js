// An exploration: the objects, the answers and the next question. It asks what the command asks.

/**
 * @typedef {{name: string, row: Bits}} FormalObject An object and its attributes.
 * @typedef {{name: string, attributes: string[], objects: FormalObject[]}} FormalContext
 * @typedef {{premise: Bits, conclusion: Bits}} Question Does every object with the premise have the conclusion?
 * @typedef {{kind: "yes"} | {kind: "unknown"} | {kind: "counterexample", object: FormalObject}} Verdict
 * @typedef {{expert: string, question: Question, verdict: Verdict}} GivenAnswer
 * @typedef {{question: Question | null, position: Bits, skipped: number}} FoundQuestion
 *   The question, a set before which all closed sets are intents, and how many questions were skipped.
 */

/** A search pauses after this many sets, so that the page can show that it is busy. */
const SETS_PER_PAUSE = 500;

/** A reason why an answer or a session is refused. */
class Refusal extends Error {
  /** @param {string} message @param {Bits | null} missing The attributes that would make the answer valid. */
  constructor(message, missing = null) {
    super(message);
    this.missing = missing;
  }
}

/** An exploration. Answers are checked and added at once; the next question is found by `advance`. */
class Exploration {
  /** @param {FormalContext} start @param {string} expert */
  constructor(start, expert) {
    this.start = start;
    this.expert = expert;
    /** @type {GivenAnswer[]} */
    this.answers = [];
    this.position = emptyBits(start.attributes.length);
    /** How many questions the expert does not know, when no other question is left. */
    this.skipped = 0;
    this.restart();
  }

  /** Forgets all that follows from answers. */
  restart() {
    /** @type {FormalObject[]} */
    this.objects = [];
    /** @type {Set<string>} */
    this.names = new Set();
    /** Each different row once, by its words. @type {Map<string, Bits>} */
    this.rows = new Map();
    /** @type {Implied[]} */
    this.accepted = [];
    this.start.objects.forEach((object) => this.addObject(object));
    this.position = emptyBits(this.start.attributes.length);
    this.refresh();
  }

  /** @param {FormalObject} object */
  addObject(object) {
    this.objects.push(object);
    this.names.add(object.name);
    this.rows.set(object.row.join(), object.row);
  }

  /** Starts to look for the next question. */
  refresh() {
    /** @type {Question | null} */
    this.question = null;
    this.skipped = 0;
    /** @type {Generator<void, FoundQuestion, void> | null} */
    this.search = this.findQuestion(this.position);
  }

  /** Looks for the next question until a time. Returns whether the search is over. @param {number} deadline */
  advance(deadline = Infinity) {
    while (this.search) {
      const step = this.search.next();
      if (step.done) {
        this.search = null;
        this.question = step.value.question;
        this.position = step.value.position;
        this.skipped = step.value.skipped;
      } else if (performance.now() > deadline) return false;
    }
    return true;
  }

  /** Whether nothing is left to ask anyone. Otherwise, without a question, others have to answer. */
  isFinished() {
    return this.search === null && this.question === null && this.skipped === 0;
  }

  /**
   * Finds the first question from a set on that the expert did not leave to others.
   * @param {Bits} from
   * @returns {Generator<void, FoundQuestion, void>}
   */
  *findQuestion(from) {
    const count = this.start.attributes.length;
    const close = (/** @type {Bits} */ set) => closedUnder(set, this.accepted);
    let [position, skipped, visited] = [from, 0, 0];
    let next = isSameSet(close(from), from) ? from : nextClosed(from, count, close);
    while (next !== null) {
      const premise = next;
      const conclusion = without(this.intent(premise), premise);
      const question = { premise, conclusion };
      if (conclusion.some((word) => word !== 0)) {
        if (!this.isUnknown(question)) return { question, position: skipped ? position : premise, skipped };
        skipped += 1;
      }
      if (!skipped) position = premise;
      next = nextClosed(premise, count, close);
      visited += 1;
      if (visited % SETS_PER_PAUSE === 0) yield;
    }
    return { question: null, position, skipped };
  }

  /** Whether the expert does not know the answer to a question. @param {Question} question */
  isUnknown({ premise, conclusion }) {
    return this.answers.some(
      ({ expert, question, verdict }) =>
        verdict.kind === "unknown" &&
        expert === this.expert &&
        isSameSet(question.premise, premise) &&
        isSameSet(question.conclusion, conclusion),
    );
  }

  /** Returns the attributes that all objects with some attributes have. @param {Bits} attributes @returns {Bits} */
  intent(attributes) {
    const count = this.start.attributes.length;
    const intent = bitsOf(Array(count).keys(), count);
    for (const row of this.rows.values()) {
      if (!isSubset(attributes, row)) continue;
      for (let place = 0; place < intent.length; place += 1) intent[place] &= row[place];
    }
    return intent;
  }

  /** Answers the question. @param {Verdict} verdict */
  answer(verdict) {
    if (!this.question) throw new Refusal("there is no question left for this expert");
    this.apply({ expert: this.expert, question: this.question, verdict });
    this.refresh();
  }

  /** Answers the question with an object, which has the premise besides these attributes. @param {string} name @param {Bits} row */
  counterexample(name, row) {
    const whole = this.question ? union(row, this.question.premise) : row;
    this.answer({ kind: "counterexample", object: { name, row: whole } });
  }

  /** Checks an answer and adds it. @param {GivenAnswer} answer */
  apply(answer) {
    const { question, verdict } = answer;
    if (verdict.kind === "yes") {
      const implied = { premise: question.premise, closure: union(question.premise, question.conclusion) };
      const violating = this.objects.find(({ row }) => violates(row, implied));
      if (violating) {
        throw new Refusal(
          `object '${visible(violating.name)}' has the premise and lacks part of the conclusion`,
        );
      }
      this.accepted.push(implied);
    } else if (verdict.kind === "counterexample") {
      this.checkObject(verdict.object, question);
      this.addObject(verdict.object);
    }
    this.answers.push(answer);
  }

  /** Checks a counterexample. @param {FormalObject} object @param {Question} question */
  checkObject({ name, row }, question) {
    const shown = `'${visible(name)}'`;
    if (name.trim() === "") throw new Refusal("a counterexample needs a name");
    if (this.names.has(name)) {
      throw new Refusal(`there is already an object named ${shown}; use another name`);
    }
    if (!isSubset(question.premise, row)) {
      throw new Refusal(`${shown} lacks an attribute of the premise, so it is no counterexample`);
    }
    if (isSubset(question.conclusion, row)) {
      throw new Refusal(
        `${shown} has all attributes of the conclusion; a counterexample lacks at least one of them`,
      );
    }
    const violated = this.accepted.find((implied) => violates(row, implied));
    if (!violated) return;
    const missing = without(violated.closure, row);
    throw new Refusal(
      `${shown} contradicts an accepted implication: objects with ${this.listed(violated.premise)} also have ` +
        `${this.listed(missing)}; add these attributes, or undo the answer that accepted it`,
      missing,
    );
  }

  /** Takes back the last answer. Returns whether there was one. */
  undo() {
    const answers = this.answers.slice(0, -1);
    if (this.answers.length === 0) return false;
    this.replay(answers);
    return true;
  }

  /** Begins again with these answers. @param {GivenAnswer[]} answers */
  replay(answers) {
    this.answers = [];
    this.restart();
    answers.forEach((answer) => this.apply(answer));
    this.refresh();
  }

  /** Sets who answers. Questions that another expert did not know are asked again. @param {string} expert */
  setExpert(expert) {
    this.expert = expert;
    this.refresh();
  }

  /** Returns the implications found: the stem base at the end, before that the accepted ones. @returns {Implied[]} */
  implications() {
    return this.isFinished() ? stemBase(this.accepted) : this.accepted;
  }

  /** Returns the number of objects with some attributes. @param {Bits} attributes */
  support(attributes) {
    return this.objects.filter(({ row }) => isSubset(attributes, row)).length;
  }

  /** Returns the names of some attributes. @param {Bits} attributes */
  attributeNames(attributes) {
    return membersOf(attributes).map((one) => this.start.attributes[one]);
  }

  /** Returns some attributes for a message. @param {Bits} attributes */
  listed(attributes) {
    return shortList(this.attributeNames(attributes));
  }
}

/** Whether an object contradicts an implication. @param {Bits} row @param {Implied} implied */
function violates(row, { premise, closure }) {
  return isSubset(premise, row) && !isSubset(closure, row);
}

/** Returns names for a message, at most twelve of them. @param {string[]} names */
function shortList(names) {
  if (names.length === 0) return "no particular attributes";
  const shown = names.slice(0, 12).map(nameInSet).join(", ");
  return names.length > 12 ? `${shown} and ${names.length - 12} more` : shown;
}
