// Unpacks what the page tells, and writes the overview. All text goes in as text, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

/** Make an element: `parts` are elements or text; attributes without a value are left out. */
function el(tag, attributes = {}, ...parts) {
  return filled(document.createElement(tag), attributes, parts);
}

function svg(tag, attributes = {}, ...parts) {
  return filled(document.createElementNS(SVG, tag), attributes, parts);
}

function filled(element, attributes, parts) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value != null) element.setAttribute(name, value);
  }
  element.append(...parts.filter((part) => part !== null));
  return element;
}

/** Text of people's own: its direction is that of its first letter, as in Hebrew. */
const said = (text, tag = "span") => el(tag, { dir: "auto" }, text);

const percent = (value) => value.toFixed(1);
const span = (mean) => (mean.low === null ? "" : `${percent(mean.low)} – ${percent(mean.high)}`);
const counted = (n) => n.toLocaleString("en");
const byId = (id) => document.getElementById(id);

async function start() {
  try {
    const page = await unpacked(byId("data").textContent);
    byId("waiting").remove();
    overview(page);
    questions(page);
  } catch (error) {
    byId("waiting").textContent = `The report cannot be shown: ${error.message}`;
    throw error;
  }
}

async function unpacked(text) {
  if (!("DecompressionStream" in window)) {
    throw new Error("this browser is too old to unpack it; open it in one from 2023 or later");
  }
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

function overview(page) {
  byId("facts").append(...page.facts.map(([name, value]) => el("div", {}, el("dt", {}, name), said(value, "dd"))));
  byId("doubts").append(...page.doubts.map((doubt) => said(doubt, "li")));
  const grids = page.grids.filter((grid) => grid.rows.length);
  byId("overview").append(
    headline(page.headline),
    categories(page.categories),
    curve(page.curve),
    ...grids.map((grid) => card(grid.title, table(grid.headings, grid.rows))),
  );
  byId("settings").append(
    el("details", {}, el("summary", {}, "Settings"), table(["setting", "value"], page.settings)),
  );
}

const card = (title, ...parts) => el("div", { class: "card" }, el("h2", {}, title), ...parts);

function table(headings, rows) {
  const row = (cells, tag) => el("tr", {}, ...cells.map((cell) => el(tag, { dir: "auto" }, cell)));
  const body = el("tbody", {}, ...rows.map((cells) => row(cells, "td")));
  return el("div", { class: "scroll" }, el("table", {}, el("thead", {}, row(headings, "th")), body));
}

function headline(figures) {
  const mean = (which) => (which ? el("span", {}, percent(which.mean), el("small", {}, span(which))) : "–");
  const rows = figures.map((f) => [f.name, mean(f.micro), mean(f.macro), counted(f.micro.n)]);
  return card(
    "Answers and evidence",
    table(["in percent", "micro", "macro", "n"], rows),
    el("p", { class: "about" }, "Of the questions that have an answer. Micro: the mean over questions. Macro: the plain mean of the categories' means. Small: 95 % intervals."),
  );
}

function categories(all) {
  const bars = all.flatMap((category) => [
    el("h3", {}, `${category.name} `, el("small", {}, `${counted(category.n)} questions`)),
    ...category.means.flatMap((mean, n) => [
      el("span", {}, mean.name),
      bar(mean, n),
      el("span", { class: "value" }, percent(mean.mean)),
    ]),
  ]);
  return card("By category", el("div", { class: "bars" }, ...bars), el("p", { class: "about" }, "In percent, with 95 % intervals."));
}

function bar(mean, n) {
  const whole = el("span", { class: n ? "bar second" : "bar", title: span(mean) }, el("b", { style: `width:${mean.mean}%` }));
  if (mean.low !== null) whole.append(el("i", { style: `left:${mean.low}%;width:${mean.high - mean.low}%` }));
  return whole;
}

/** Draw evidence recall against tokens; the intervals are of the micro mean. */
function curve(points) {
  if (!points.length) return "";
  const place = el("figure", {});
  responsive(place, (width) => {
    const [left, right, top, height] = [36, 14, 10, 200];
    const most = Math.max(...points.map((point) => point.tokens));
    const x = (tokens) => left + ((width - left - right) * tokens) / most;
    const y = (value) => top + height * (1 - value / 100);
    const line = (which) => points.filter((p) => p[which]).map((p) => `${x(p.tokens)},${y(p[which].mean)}`).join(" ");
    const drawn = svg("svg", { width, height: top + height + 36, role: "img", "aria-label": "Evidence recall against tokens; the table below has the numbers" });
    for (const value of [0, 25, 50, 75, 100]) {
      drawn.append(svg("line", { class: "axis", x1: left, x2: width - right, y1: y(value), y2: y(value) }));
      drawn.append(svg("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, String(value)));
    }
    drawn.append(svg("polyline", { class: "edge path", points: line("micro"), style: "stroke:var(--terminal)" }));
    drawn.append(svg("polyline", { class: "edge path", points: line("macro"), style: "stroke:var(--bridge);stroke-dasharray:5 4" }));
    for (const { tokens, micro, macro } of points) {
      drawn.append(svg("text", { x: x(tokens), y: top + height + 16, "text-anchor": tokens === most ? "end" : "middle" }, String(tokens)));
      if (micro.low !== null) drawn.append(svg("line", { class: "edge", x1: x(tokens), x2: x(tokens), y1: y(micro.low), y2: y(micro.high), style: "stroke:var(--terminal)" }));
      drawn.append(svg("circle", { cx: x(tokens), cy: y(micro.mean), r: 4, fill: "var(--terminal)" }));
      if (macro) drawn.append(svg("rect", { x: x(tokens) - 3.5, y: y(macro.mean) - 3.5, width: 7, height: 7, fill: "var(--bridge)" }));
    }
    drawn.append(svg("text", { x: width - right, y: top + height + 31, "text-anchor": "end" }, "tokens of context"));
    return drawn;
  });
  const rows = points.map((p) => [String(p.tokens), `${percent(p.micro.mean)} (${span(p.micro)})`, p.macro ? percent(p.macro.mean) : "–"]);
  return card("Evidence recall by tokens of context", place, table(["tokens", "● micro", "■ macro"], rows));
}

/** Draw into a place, and again whenever its width changes. */
function responsive(place, draw) {
  let before = 0;
  new ResizeObserver(([{ contentRect }]) => {
    const width = Math.floor(contentRect.width);
    if (!width || width === before) return;
    before = width;
    place.replaceChildren(draw(width));
  }).observe(place);
}
