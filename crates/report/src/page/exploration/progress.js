// What is known so far: the answers, the implications, and the context with the counterexamples.

/** A context with more cells than this is shown without the objects that it had at the beginning. */
const MOST_CELLS = 6000;

/** Returns an implication. @param {Exploration} exploration @param {Bits} premise @param {Bits} conclusion */
function impliedText(exploration, premise, conclusion) {
  const left = membersOf(premise).length ? nameNodes(exploration, premise) : "{}";
  return [left, " → ", nameNodes(exploration, conclusion)];
}

/** Returns how far the exploration is. @param {Exploration} exploration */
function progressText({ answers, accepted, objects }) {
  const count = (/** @type {string} */ kind) => answers.filter(({ verdict }) => verdict.kind === kind).length;
  return (
    `${counted(answers.length, "answer")} so far: ${counted(accepted.length, "implication")} accepted, ` +
    `${counted(count("counterexample"), "counterexample")}, ${grouped(count("unknown"))} unknown. ` +
    `The context has ${counted(objects.length, "object")}.`
  );
}

/** Returns what an expert said. @param {Exploration} exploration @param {Verdict} verdict */
function verdictText(exploration, verdict) {
  if (verdict.kind !== "counterexample") return verdict.kind;
  const { name, row } = verdict.object;
  const names = membersOf(row).length ? nameNodes(exploration, row) : "no attributes";
  return ["no: ", nameNode(name), " (", names, ")"];
}

/** Returns the answers as a table. @param {Exploration} exploration */
function answersTable(exploration) {
  const { answers } = exploration;
  if (answers.length === 0) return el("p", { class: "soft" }, "There is no answer yet.");
  const rows = answers.map(({ expert, question, verdict }, place) => [
    String(place + 1),
    impliedText(exploration, question.premise, question.conclusion),
    verdictText(exploration, verdict),
    nameNode(expert),
  ]);
  return table("Every answer, in order", ["Question", "Implication", "Answer", "Expert"], rows, "answers");
}

/** Returns the implications as a table. @param {Exploration} exploration */
function impliedTable(exploration) {
  const isFinished = exploration.isFinished();
  const found = exploration.implications();
  if (found.length === 0) {
    const none = isFinished
      ? "No implication is true of every object."
      : "No implication is accepted yet.";
    return el("p", { class: "soft" }, none);
  }
  const rows = found.map(({ premise, closure }) => [
    impliedText(exploration, premise, without(closure, premise)),
    grouped(exploration.support(premise)),
  ]);
  const caption = isFinished
    ? "The stem base: every implication that is true follows from these"
    : "The accepted implications";
  return table(caption, ["Implication", "Objects with the premise"], rows, "implied");
}

/** Returns the context as a table of crosses. @param {Exploration} exploration */
function crossTable({ start, objects }) {
  const isLarge = objects.length * start.attributes.length > MOST_CELLS;
  const shown = isLarge ? objects.slice(start.objects.length) : objects;
  const note = isLarge
    ? el("p", { class: "soft" }, "The context is large. Only the counterexamples are shown; the files have all objects.")
    : null;
  const rows = shown.map(({ name, row }) => [
    nameNode(name),
    ...start.attributes.map((_, one) => (hasBit(row, one) ? "×" : "")),
  ]);
  if (rows.length === 0) return [note, el("p", { class: "soft" }, "There are no objects to show.")];
  const heads = ["Object", ...start.attributes.map(nameNode)];
  return [note, table("The context with all counterexamples", heads, rows, "crosses")];
}

/** The sections that show what is known so far. */
class ExplorationProgress {
  constructor() {
    this.text = el("p", { class: "soft" });
    this.answers = el("div", {});
    this.implications = el("div", {});
    this.context = el("div", {});
    this.sections = [
      section("implications", "Implications", this.implications),
      section("answers", "Answers", this.answers),
      section("context", "Context", this.context),
    ];
  }

  /** Shows an exploration. @param {Exploration} exploration */
  show(exploration) {
    this.text.textContent = progressText(exploration);
    // The tables are drawn anew, so their labels begin again.
    boxLabels.clear();
    fill(this.answers, answersTable(exploration));
    fill(this.implications, impliedTable(exploration));
    fill(this.context, crossTable(exploration));
  }
}
