// Sessions: the JSON that the command `pellucid explore` saves and continues.

const SESSION_FORMAT = "pellucid exploration";
const SESSION_VERSION = 1;

/** Returns the session as the text of a file. @param {Exploration} exploration */
function sessionText(exploration) {
  const { start, expert, answers } = exploration;
  const names = (/** @type {Bits} */ set) => exploration.attributeNames(set);
  const session = {
    format: SESSION_FORMAT,
    version: SESSION_VERSION,
    expert,
    name: start.name,
    attributes: start.attributes,
    objects: start.objects.map(({ name, row }) => ({ name, attributes: names(row) })),
    answers: answers.map(({ expert, question, verdict }) => ({
      expert,
      premise: names(question.premise),
      conclusion: names(question.conclusion),
      answer: verdict.kind,
      ...(verdict.kind === "counterexample"
        ? { object: verdict.object.name, attributes: names(verdict.object.row) }
        : {}),
    })),
  };
  return JSON.stringify(session, null, 2) + "\n";
}

/** Returns the error of a file that is no session. @param {string} reason */
function noSession(reason) {
  return new Refusal(`found no session of an exploration: ${reason}`);
}

/** Checks that a part of a session is a list. @param {any} value @param {string} what @param {string} of @returns {any[]} */
function listIn(value, what, of) {
  const isValid = Array.isArray(value) && value.every((one) => (of === "text" ? typeof one === "string" : isRecord(one)));
  if (!isValid) throw noSession(`expected '${what}' with a list`);
  return value;
}

/** Whether a value is an object of JSON. @param {any} value */
function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Checks that a part of a session is text. @param {any} value @param {string} what @returns {string} */
function textIn(value, what) {
  if (typeof value !== "string") throw noSession(`expected '${what}' with a text`);
  return value;
}

/** Returns the parts of a session file. @param {string} text */
function sessionParts(text) {
  /** @type {any} */
  let saved;
  try {
    saved = JSON.parse(text);
  } catch {
    throw noSession("the file is not JSON");
  }
  if (!isRecord(saved)) throw noSession("the file has no JSON object");
  if (saved.format !== SESSION_FORMAT) throw noSession(`the format is ${shortList([String(saved.format)])}`);
  if (!Number.isSafeInteger(saved.version) || saved.version < 0) throw noSession("expected 'version' with a number");
  if (saved.version > SESSION_VERSION) {
    throw new Refusal(`found version ${saved.version}; expected at most ${SESSION_VERSION}`);
  }
  return saved;
}

/** Returns the exploration of a session, which continues after its last answer. @param {string} text */
function readSession(text) {
  const saved = sessionParts(text);
  const attributes = /** @type {string[]} */ (listIn(saved.attributes, "attributes", "text"));
  const numbers = new Map(attributes.map((name, one) => [name, one]));
  if (numbers.size !== attributes.length) throw noSession("two attributes have the same name");
  const set = (/** @type {any} */ names, /** @type {string} */ what) => {
    const which = listIn(names, what, "text").map((name) => {
      const one = numbers.get(name);
      if (one === undefined) {
        throw new Refusal(`found the attribute '${visible(name)}'; expected one of ${shortList(attributes)}`);
      }
      return one;
    });
    return bitsOf(which, attributes.length);
  };
  const objects = listIn(saved.objects, "objects", "records").map((object) => ({
    name: textIn(object.name, "name"),
    row: set(object.attributes, "attributes"),
  }));
  const start = { name: textIn(saved.name, "name"), attributes, objects };
  const exploration = new Exploration(start, textIn(saved.expert, "expert"));
  listIn(saved.answers, "answers", "records").forEach((answer, place) => {
    const given = {
      expert: textIn(answer.expert, "expert"),
      question: { premise: set(answer.premise, "premise"), conclusion: set(answer.conclusion, "conclusion") },
      verdict: readVerdict(answer, set),
    };
    try {
      exploration.apply(given);
    } catch (problem) {
      if (problem instanceof Refusal) throw new Refusal(`answer ${place + 1}: ${problem.message}`);
      throw problem;
    }
  });
  exploration.refresh();
  return exploration;
}

/** Returns what an expert said. @param {any} answer @param {(names: any, what: string) => Bits} set @returns {Verdict} */
function readVerdict(answer, set) {
  if (answer.answer === "yes" || answer.answer === "unknown") return { kind: answer.answer };
  if (answer.answer !== "counterexample") {
    throw noSession(`expected 'answer' with yes, counterexample or unknown`);
  }
  const object = { name: textIn(answer.object, "object"), row: set(answer.attributes, "attributes") };
  return { kind: "counterexample", object };
}

/** Whether two explorations began with the same objects and attributes. @param {Exploration} one @param {Exploration} other */
function isSameStart({ start: one }, { start: other }) {
  return (
    one.attributes.length === other.attributes.length &&
    one.objects.length === other.objects.length &&
    one.attributes.every((name, place) => name === other.attributes[place]) &&
    one.objects.every(({ name, row }, place) => {
      const same = other.objects[place];
      return name === same.name && isSameSet(row, same.row);
    })
  );
}
