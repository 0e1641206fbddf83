// The form for a counterexample: a name, and the attributes as checkboxes.

/** The form for a counterexample to the question. */
class CounterexampleForm {
  /** @param {(name: string, row: Bits) => void} submit @param {() => void} cancel Called when the form is closed. */
  constructor(submit, cancel) {
    this.submit = submit;
    this.cancel = cancel;
    /** @type {Map<number, HTMLInputElement>} */
    this.boxes = new Map();
    this.name = /** @type {HTMLInputElement} */ (
      el("input", { type: "text", id: "object-name", autocomplete: "off", "aria-describedby": "object-error" })
    );
    this.groups = el("div", {});
    this.error = el("div", { id: "object-error", role: "alert" });
    this.form = el(
      "form",
      {
        class: "panel",
        "aria-labelledby": "object-title",
        novalidate: true,
        hidden: true,
        submit: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.submit(this.name.value.trim(), this.row());
        },
        keydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key === "Escape") this.cancel();
        },
      },
      el("h3", { id: "object-title", class: "minor" }, "Counterexample"),
      el("p", {}, el("label", { for: "object-name" }, "Name of the object "), this.name),
      this.groups,
      this.error,
      el(
        "p",
        { class: "files" },
        el("button", { type: "submit", class: "main" }, "Add the counterexample"),
        el("button", { type: "button", click: () => this.cancel() }, "Cancel"),
      ),
    );
  }

  /** Opens the form for a question. @param {Exploration} exploration @param {Question} question */
  open(exploration, { premise, conclusion }) {
    const count = exploration.start.attributes.length;
    const rest = without(without(bitsOf(Array(count).keys(), count), premise), conclusion);
    const name = (/** @type {number} */ one) => nameNode(exploration.start.attributes[one]);
    const group = (/** @type {string} */ legend, /** @type {Bits} */ which, /** @type {boolean} */ isFixed) => {
      const members = membersOf(which);
      if (members.length === 0) return null;
      const boxes = members.map((one) => {
        const box = /** @type {HTMLInputElement} */ (
          el("input", { type: "checkbox", value: one, checked: isFixed, disabled: isFixed })
        );
        this.boxes.set(one, box);
        return el("label", {}, box, name(one));
      });
      return el("fieldset", {}, el("legend", {}, legend), el("div", { class: "boxes" }, boxes));
    };
    this.count = count;
    this.boxes.clear();
    this.name.value = "";
    fill(this.error);
    fill(
      this.groups,
      group("It has the premise:", premise, true),
      group("It lacks at least one of these. Select those that it has:", conclusion, false),
      group("Select what else it has:", rest, false),
    );
    this.form.hidden = false;
    this.name.focus();
  }

  /** Closes the form. */
  close() {
    this.form.hidden = true;
  }

  /** Returns the selected attributes. */
  row() {
    const selected = [...this.boxes].filter(([, box]) => box.checked);
    return bitsOf(
      selected.map(([one]) => one),
      this.count || 0,
    );
  }

  /** Shows why the counterexample is refused. @param {Refusal} refusal */
  refuse(refusal) {
    const { missing } = refusal;
    const add = () => {
      membersOf(missing || emptyBits(0)).forEach((one) => {
        const box = this.boxes.get(one);
        if (box) box.checked = true;
      });
      fill(this.error);
      this.name.focus();
    };
    fill(
      this.error,
      el("p", { class: "warning" }, sentence(refusal.message)),
      missing ? el("p", {}, el("button", { type: "button", click: add }, "Select these attributes")) : null,
    );
    if (/needs a name|use another name/.test(refusal.message)) this.name.focus();
  }
}

/** Returns a message as a sentence. @param {string} message */
function sentence(message) {
  return message.charAt(0).toUpperCase() + message.slice(1) + ".";
}
