// The page of an exploration: the dialog, what is known so far, and files in both directions.

/**
 * @typedef {{
 *   version: string, provenance?: any, session: string, file: string, path: string, command: string | null
 * }} ExplorationContent The session is compressed; the command keeps it in `path`.
 */

/** The files to save and the session to open. */
class ExplorationFiles {
  /** @param {ExplorationDialog} dialog @param {ExplorationContent} content */
  constructor(dialog, content) {
    this.dialog = dialog;
    this.status = el("div", { role: "status" });
    this.implied = el("p", { class: "soft" });
    this.burmeister = saveButton("Context (.cxt)", "context.cxt", () => burmeisterText(dialog.exploration));
    const open = el("input", {
      type: "file",
      id: "open",
      accept: ".json,application/json",
      change: async (/** @type {Event} */ event) => {
        const input = /** @type {HTMLInputElement} */ (event.target);
        const file = input.files && input.files[0];
        if (file) this.open(await file.text(), file.name);
        // The same file can be chosen again.
        input.value = "";
      },
    });
    const save = saveButton("Session (JSON)", content.file, () => {
      dialog.isUnsaved = false;
      return sessionText(dialog.exploration);
    });
    this.section = section(
      "save",
      "Take it with you",
      el("p", { class: "files" }, "The answers, to continue later: ", save),
      content.command
        ? el(
            "p",
            {},
            "Save this file as ",
            el("code", {}, visible(content.path)),
            " to continue in a terminal: ",
            commandText(content.command),
          )
        : null,
      el(
        "p",
        {},
        el("label", { for: "open" }, "Open a session of the command or of another page: "),
        open,
      ),
      this.status,
      el(
        "p",
        { class: "files" },
        "The result: ",
        saveButton("Implications (text)", "implications.txt", () =>
          implicationsText(dialog.exploration, dialog.exploration.implications()),
        ),
        this.burmeister,
        saveButton("Context (CSV)", "context.csv", () => crossTableText(dialog.exploration)),
      ),
      this.implied,
    );
  }

  /** Shows what the files have. */
  show() {
    const { exploration } = this.dialog;
    this.burmeister.hidden = !fitsBurmeister(exploration);
    const isFinished = exploration.isFinished();
    this.implied.textContent = isFinished
      ? "The implications are the stem base of the domain."
      : "The exploration is not finished: the file has the implications that are accepted so far.";
  }

  /** Continues the session of a file. @param {string} text @param {string} name */
  open(text, name) {
    const before = this.dialog.exploration;
    const wasUnsaved = this.dialog.isUnsaved;
    let opened;
    try {
      opened = readSession(text);
      if (!isSameStart(opened, before)) throw new Refusal("the session is of another context");
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      fill(this.status, el("p", { class: "warning" }, `${visible(name)}: ${problem.message}.`));
      return;
    }
    const back = () => {
      this.dialog.replace(before, wasUnsaved);
      fill(this.status, el("p", { class: "note" }, `Continuing after ${counted(before.answers.length, "answer")}.`));
    };
    const lost = before.answers.length;
    fill(
      this.status,
      el("p", { class: "note" }, `Continuing ${visible(name)} after ${counted(opened.answers.length, "answer")}.`),
      lost
        ? el("p", {}, el("button", { type: "button", click: back }, `Return to the ${counted(lost, "answer")} before`))
        : null,
    );
    this.dialog.replace(opened, false);
  }
}

/** Returns how an exploration works. */
function explorationGuide() {
  const item = (/** @type {string} */ text) => el("li", {}, text);
  return section(
    "guide",
    "How it works",
    el(
      "ul",
      {},
      item(
        "Each question is about an implication that all objects of the context satisfy. Is it true of every object there is?",
      ),
      item("Yes: the implication is accepted. No later question follows from accepted implications."),
      item(
        "No: name a counterexample, which becomes an object of the context. It has the premise, lacks part of the conclusion, and respects every accepted implication.",
      ),
      item(
        "Unknown: the question is left for another expert. Enter another name to answer such questions.",
      ),
      item(
        "When nothing is left to ask, every implication that is true follows from the stem base, and the context has a counterexample to every other one.",
      ),
    ),
  );
}

/** Draws the page. @param {ExplorationContent} content */
async function startExploration(content) {
  const exploration = readSession(await unpacked(content.session));
  const { start, answers } = exploration;
  const progress = new ExplorationProgress();
  const dialog = new ExplorationDialog(exploration, () => {
    progress.show(dialog.exploration);
    files.show();
  });
  const files = new ExplorationFiles(dialog, content);
  const after = answers.length ? ` This page begins after ${counted(answers.length, "answer")}.` : "";
  const header = el(
    "header",
    {},
    el("h1", {}, "Exploration of ", nameNode(start.name)),
    el(
      "p",
      { class: "lead" },
      `${counted(start.objects.length, "object")}, ${counted(start.attributes.length, "attribute")}. ` +
        `Answer the questions to find the implications of the domain.${after}`,
    ),
    factList(originFacts(content)),
  );
  const ask = section("ask", "Question", dialog.panel, progress.text);
  drawPage(header, [ask, ...progress.sections, files.section, explorationGuide()], content);
  window.addEventListener("beforeunload", (event) => {
    if (dialog.isUnsaved) event.preventDefault();
  });
  // For programs that drive the page.
  Object.defineProperty(window, "pellucid", { value: Object.freeze({ content, dialog, files }) });
  await dialog.next();
}

startExploration(readContent());
