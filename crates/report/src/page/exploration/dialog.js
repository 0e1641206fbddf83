// The dialog: the question, the answers to it, undo and the name of the expert.

/** A search for a question that takes longer than this, in milliseconds, shows that the page is busy. */
const MOST_WAITING = 60;

/** The dialog and its state. */
class ExplorationDialog {
  /** @param {Exploration} exploration @param {() => void} changed Called when the answers or the question change. */
  constructor(exploration, changed) {
    this.exploration = exploration;
    this.changed = changed;
    /** Whether there are answers that no file has. */
    this.isUnsaved = false;
    /** Distinguishes searches, so that one that is outdated ends. */
    this.turn = 0;
    const button = (/** @type {string} */ text, /** @type {string} */ id, /** @type {() => void} */ click) =>
      /** @type {HTMLButtonElement} */ (el("button", { type: "button", id, click }, text));
    this.number = el("p", { class: "soft" });
    this.text = el("p", { class: "result", tabindex: "-1" });
    this.buttons = {
      yes: button("Yes", "answer-yes", () => this.answer(() => this.exploration.answer({ kind: "yes" }))),
      no: button("No, I know a counterexample", "answer-no", () => this.openForm()),
      unknown: button("Unknown", "answer-unknown", () =>
        this.answer(() => this.exploration.answer({ kind: "unknown" })),
      ),
      undo: button("Undo the last answer", "undo", () => this.undo()),
    };
    this.message = el("div", { role: "alert" });
    this.form = new CounterexampleForm(
      (name, row) => this.counterexample(name, row),
      () => {
        this.form.close();
        this.buttons.no.focus();
      },
    );
    this.expert = /** @type {HTMLInputElement} */ (
      el("input", { type: "text", id: "expert", list: "experts", autocomplete: "off", change: () => this.setExpert() })
    );
    this.experts = el("datalist", { id: "experts" });
    this.panel = el(
      "div",
      { class: "dialog" },
      el("div", { "aria-live": "polite" }, this.number, this.text),
      el("p", { class: "files" }, Object.values(this.buttons)),
      this.message,
      this.form.form,
      el("p", { class: "expert" }, el("label", { for: "expert" }, "Expert "), this.expert, this.experts),
    );
  }

  /** Finds the next question and shows it. */
  async next() {
    this.turn += 1;
    const { turn } = this;
    this.form.close();
    while (!this.exploration.advance(performance.now() + MOST_WAITING)) {
      this.showBusy();
      await new Promise((resolve) => window.setTimeout(resolve));
      if (turn !== this.turn) return;
    }
    this.panel.removeAttribute("aria-busy");
    this.show();
    this.changed();
  }

  showBusy() {
    this.panel.setAttribute("aria-busy", "true");
    this.text.textContent = "Searching for the next question …";
    Object.values(this.buttons).forEach((button) => (button.disabled = true));
  }

  /** Shows the question, or why there is none. */
  show() {
    const { question, answers, expert, skipped } = this.exploration;
    const focused = document.activeElement;
    const isLost = Object.values(this.buttons).some((button) => button === focused);
    this.number.textContent = question ? `Question ${grouped(answers.length + 1)}` : "";
    fill(this.text, question ? this.questionText(question) : this.ending(skipped, expert));
    const { yes, no, unknown, undo } = this.buttons;
    [yes, no, unknown].forEach((button) => (button.disabled = !question));
    undo.disabled = answers.length === 0;
    this.expert.value = expert;
    const names = new Set([expert, ...answers.map((answer) => answer.expert)]);
    fill(this.experts, [...names].map((name) => el("option", { value: name })));
    // A button that is disabled loses the focus, which must not go back to the start of the page.
    if (isLost && /** @type {HTMLButtonElement} */ (focused).disabled) this.text.focus();
  }

  /** Returns the question as a sentence. @param {Question} question */
  questionText({ premise, conclusion }) {
    const names = (/** @type {Bits} */ set) => nameNodes(this.exploration, set, "attribute");
    const have = [" have ", names(conclusion), "?"];
    return membersOf(premise).length
      ? ["Does every object with ", names(premise), ...have]
      : ["Does every object", ...have];
  }

  /** Returns why there is no question. @param {number} skipped @param {string} expert */
  ending(skipped, expert) {
    const { objects } = this.exploration;
    if (skipped === 0) {
      const found = counted(this.exploration.implications().length, "implication");
      return `Finished: ${found}, ${counted(objects.length, "object")}. Nothing is left to ask.`;
    }
    const waiting = skipped === 1 ? "1 question waits" : `${grouped(skipped)} questions wait`;
    return `No question is left for ${visible(expert)}. ${waiting} for another expert: enter the name below.`;
  }

  /** Gives an answer. @param {() => void} give */
  answer(give) {
    fill(this.message);
    try {
      give();
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      fill(this.message, el("p", { class: "warning" }, sentence(problem.message)));
      return;
    }
    this.isUnsaved = true;
    this.next();
  }

  openForm() {
    const { question } = this.exploration;
    fill(this.message);
    if (question) this.form.open(this.exploration, question);
  }

  /** Answers with a counterexample. @param {string} name @param {Bits} row */
  counterexample(name, row) {
    try {
      this.exploration.counterexample(name, row);
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      this.form.refuse(problem);
      return;
    }
    this.isUnsaved = true;
    this.buttons.no.focus();
    this.next();
  }

  undo() {
    fill(this.message);
    if (this.exploration.undo()) this.isUnsaved = true;
    this.next();
  }

  /** Takes the name of the expert from its field; an empty one changes nothing. */
  setExpert() {
    const name = this.expert.value.trim();
    if (name !== "" && name !== this.exploration.expert) {
      this.exploration.setExpert(name);
      this.next();
    } else this.expert.value = this.exploration.expert;
  }

  /** Continues another exploration. @param {Exploration} exploration @param {boolean} isUnsaved */
  replace(exploration, isUnsaved) {
    this.exploration = exploration;
    this.isUnsaved = isUnsaved;
    fill(this.message);
    this.next();
  }
}

/** Returns the names of some attributes, separated by commas. @param {Exploration} exploration @param {Bits} set @param {string} kind */
function nameNodes(exploration, set, kind = "") {
  const names = exploration.attributeNames(set);
  return names.map((name, place) => [place ? ", " : "", el("span", { class: kind || null }, nameNode(name))]);
}
