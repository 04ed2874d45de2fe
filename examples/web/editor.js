// The editor: a plain text field, whose letters are painted again in colours below it, with the
// numbers of the lines beside it.

const WORDS = "and break do else elseif end false for function goto if in local nil not or repeat " +
  "return then true until while";
const TOKENS = new RegExp([
  /(?<comment>--\[(?<a>=*)\[[^]*?(?:\]\k<a>\]|$)|--[^\n]*)/.source,
  /(?<string>\[(?<b>=*)\[[^]*?(?:\]\k<b>\]|$)|"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?)/.source,
  `(?<word>\\b(?:${WORDS.replaceAll(" ", "|")})\\b)`,
  /(?<number>\b(?:0[xX][\da-fA-F.]+(?:[pP][+-]?\d+)?|\d+\.?\d*(?:[eE][+-]?\d+)?))/.source,
].join("|"), "g");

const escape = text => text.replace(/[&<]/g, char => char === "&" ? "&amp;" : "&lt;");

function paint(text) {
  let html = "", end = 0;
  for (const match of text.matchAll(TOKENS)) {
    const kind = ["comment", "string", "word", "number"].find(name => match.groups[name]);
    html += escape(text.slice(end, match.index)) + `<span class=${kind}>${escape(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escape(text.slice(end));
}

const editor = {
  field: $("code"),
  marked: 0,

  get text() { return this.field.value; },

  set text(text) {
    this.field.value = text;
    this.changed();
    this.field.setSelectionRange(0, 0);
    this.field.scrollTo(0, 0);
  },

  changed() {
    $("painted").innerHTML = paint(this.text) + "\n";
    this.mark(0);
  },

  // Shows the line that an error is about; 0 shows none.
  mark(line) {
    const count = this.text.split("\n").length;
    this.marked = line <= count ? line : 0;
    $("numbers").innerHTML = Array.from({ length: count }, (_, i) =>
      i + 1 === line ? `<b>${line}</b>` : i + 1).join("\n") + "\n\n";
    $("mark").hidden = !this.marked;
    if (this.marked) {
      const high = this.lineHeight(), top = (line - 1) * high, { scrollTop, clientHeight } = this.field;
      if (top < scrollTop || top > scrollTop + clientHeight - 3 * high) {
        this.field.scrollTop = top - clientHeight / 3;
      }
    }
    this.scrolled();
  },

  lineHeight: () => parseFloat(getComputedStyle($("code")).lineHeight),

  scrolled() {
    const { scrollLeft, scrollTop } = this.field;
    const top = parseFloat(getComputedStyle(this.field).paddingTop);
    $("painted").style.transform = `translate(${-scrollLeft}px, ${-scrollTop}px)`;
    $("numbers").style.transform = `translateY(${-scrollTop}px)`;
    $("mark").style.top = `${top + (this.marked - 1) * this.lineHeight() - scrollTop}px`;
  },

  // A new line begins below the one before it.
  key(event) {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.isComposing) return;
    const before = this.text.slice(0, this.field.selectionStart);
    const indent = before.match(/[ \t]*(?=[^\n]*$)/)[0];
    event.preventDefault();
    // The one way that the browser's undo knows of.
    document.execCommand("insertText", false, "\n" + indent);
  },
};

editor.field.addEventListener("input", () => editor.changed());
editor.field.addEventListener("scroll", () => editor.scrolled());
editor.field.addEventListener("keydown", event => editor.key(event));
