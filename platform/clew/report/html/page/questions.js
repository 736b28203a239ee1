// Finds questions by text, category, list and conversation, and opens one.

const AT_ONCE = 40; // rows written down before a reader asks for more
const MARKS = { right: "✓", wrong: "✗", failed: "!" };

function questions(page) {
  const { book, selections } = page;
  const names = Object.fromEntries(selections.numbers.map((number, n) => [number, selections.categories[n]]));
  const words = book.entries.map((e) => [e.id, e.query, e.gold, e.answer].join("\n").toLowerCase());
  const filter = filters(page, names, () => show());
  const count = el("p", { role: "status" });
  const list = el("ul", { class: "list" });
  const more = el("button", { type: "button" }, "Show more");
  let found = [];

  function show() {
    const { text, category, conversation, list: chosen } = filter.values();
    const parts = text.toLowerCase().split(/\s+/).filter(Boolean);
    found = [...book.entries.keys()].filter((n) => {
      const entry = book.entries[n];
      return (category === "" || entry.category === Number(category))
        && (conversation === "" || entry.conversation === conversation)
        && (chosen === "" || selections.of[n].includes(Number(chosen)))
        && parts.every((part) => words[n].includes(part));
    });
    count.textContent = `${counted(found.length)} of ${counted(words.length)} questions`;
    list.replaceChildren();
    extend();
  }

  function extend() {
    const next = found.slice(list.children.length, list.children.length + AT_ONCE);
    list.append(...next.map((n) => row(book.entries[n], page, names)));
    more.hidden = list.children.length >= found.length;
  }

  more.addEventListener("click", extend);
  byId("questions").append(el("h2", {}, "Questions"), filter.element, count, list, more);
  byId("lists").append(...lists(selections, (chosen, category) => {
    filter.set(chosen, category);
    byId("questions").scrollIntoView();
  }));
  show();
}

/** Return the fields to filter by, and how to read and set them. */
function filters({ book, selections }, names, changed) {
  const choice = (all, options) => el("select", { onchange: changed }, el("option", { value: "" }, all), ...options.map(([value, name]) => el("option", { value }, name)));
  const text = el("input", { type: "search", oninput: changed, placeholder: "words of a question, an answer or its id" });
  const list = choice("any", selections.lists.map((each, n) => [n, `${each.name} (${counted(each.counts.at(-1))})`]));
  const category = choice("any", Object.entries(names));
  const conversation = choice("any", [...new Set(book.entries.map((e) => e.conversation))].map((id) => [id, id]));
  const label = (name, field, wide) => el("label", { class: wide }, name, field);
  return {
    element: el("div", { class: "filter", role: "search" }, label("Words", text, "wide"), label("Outcome", list), label("Category", category), label("Conversation", conversation)),
    values: () => ({ text: text.value, category: category.value, conversation: conversation.value, list: list.value }),
    set(chosen, number) {
      text.value = conversation.value = "";
      list.value = String(chosen);
      category.value = number === null ? "" : String(number);
      changed();
    },
  };
}

/** Write down the lists worth looking at, each count a way to its questions. */
function lists(selections, choose) {
  const chip = (n, number, name, count) => el("button", { type: "button", onclick: () => choose(n, number) }, `${name} `, el("b", {}, counted(count)));
  const parts = selections.lists.flatMap((each, n) => {
    const total = each.counts.at(-1);
    if (!total) return [];
    const chips = selections.categories.map((name, k) => (each.counts[k] ? chip(n, selections.numbers[k], name, each.counts[k]) : null));
    return [el("h3", {}, `${each.name}: ${counted(total)}`), el("p", { class: "about" }, each.about), el("div", { class: "chips" }, chip(n, null, "all", total), ...chips)];
  });
  return [el("h2", {}, "Where answers come from and where they fail"), ...parts];
}

function row(entry, page, names) {
  const button = el("button", { type: "button", "aria-expanded": "false" },
    el("span", { class: "mark", title: entry.outcome }, MARKS[entry.outcome]),
    said(entry.query),
    el("small", {}, `${entry.outcome} · ${names[entry.category]} · ${entry.id} · F1 ${(entry.scores.f1_locomo ?? 0).toFixed(0)}`),
  );
  const item = el("li", { class: entry.outcome }, button);
  button.addEventListener("click", () => {
    const open = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!open));
    if (open) item.lastChild.remove();
    else item.append(opened(entry, page));
  });
  return item;
}

function opened(entry, { book, metrics }) {
  const scores = metrics.filter(([key]) => key in entry.scores).map(([key, name]) => `${name} ${entry.scores[key].toFixed(1)}`);
  const time = ["search", "answer"].filter((step) => step in entry.milliseconds).map((step) => `${step} ${entry.milliseconds[step]} ms`);
  const facts = [
    ["answer", said(entry.answer + (entry.abstained ? " (abstained)" : ""))],
    ["gold", said(entry.gold)],
    ["scores", scores.join(" · ")],
    ["evidence", entry.place],
    ["asked at", entry.asked || "unknown"],
    ["took", time.join(" · ")],
    ["error", entry.error],
  ].filter(([, value]) => value);
  const context = entry.context === null ? [] : book.contexts[entry.context].map((line) => book.lines[line]);
  return el("div", { class: "opened" },
    el("dl", {}, ...facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
    ...gold(entry, book),
    el("h3", {}, "Evidence graph"),
    evidence(entry, book),
    el("details", {}, el("summary", {}, `Context: ${entry.tokens} tokens`), el("pre", { dir: "auto" }, context.join("\n"))),
  );
}

function gold(entry, book) {
  if (!entry.evidence.length) return [];
  const items = entry.evidence.map(({ id, text, fate }) => el("li", {}, text === null ? null : said(`${book.lines[text]} `), el("small", {}, `${id}: ${fate}`)));
  return [el("h3", {}, "Gold messages"), el("ul", {}, ...items)];
}
