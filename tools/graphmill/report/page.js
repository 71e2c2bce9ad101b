// The page's parts, from the data.
const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);

/// Ops that compute; the others fetch weights.
const computing = data.ops.filter((op) => !op.op.startsWith("fx."));

/// Names of the nodes whose ops are in a kernel, in order, once each.
function nodesOf(step) {
  const names = (step.ops || []).map((op) => data.ops[op]).map((op) => op.node || op.op);
  return [...new Set(names)];
}

const kernelsOfOp = data.ops.map(() => []);
data.steps.forEach((step, i) => (step.ops || []).forEach((op) => kernelsOfOp[op].push(i)));

let kernels, memory;

function choose(step) {
  kernels.show(step);
  memory.show(step);
  showDetail(step);
}

function jumps(steps, most) {
  const links = steps.slice(0, most).map((i) => element("a", { class: "jump", title: data.steps[i].name, onclick: () => choose(i) }, `${i} ${data.steps[i].name.split(" ")[0]}`));
  return steps.length > most ? [...links, element("span", { class: "faint" }, `and ${steps.length - most} more`)] : links;
}

function showSummary() {
  document.title = `${data.model} – graphmill`;
  at("model").textContent = data.model;
  const sizes = data.symbols.map((symbol, i) => `${symbol.name} (s${i}) = ${symbol.value}`).join(", ");
  at("about").textContent = `compiled for ${data.target} by ${data.compiler}` + (sizes ? `; numbers are for ${sizes}` : "");
  const sum = (key) => data.steps.reduce((total, step) => total + (step[key] || 0), 0);
  const scratch = Math.max(0, ...data.steps.map((step) => step.scratch || 0));
  const tensors = (specs) => specs.map((spec) => `${spec.name} [${spec.dims.join(", ")}]`).join("; ");
  const cards = [
    ["Ops", computing.length, `${data.primitiveOps} primitive ones`],
    ["Kernels", data.steps.length, `${data.distinctKernels} distinct`],
    ["Operations", short(sum("flops"), "FLOP"), "a run"],
    ["Read and written", short(sum("read") + sum("written"), "B"), "by kernels, whole tensors"],
    ["Weights", short(data.weightBytes, "B"), `${data.numWeights} tensors`],
    ["Arena", short(data.arenaBytes, "B"), data.symbols.length ? `${data.arena} bytes` : "at its peak"],
    ["Scratch", short(scratch, "B"), "a thread, at most"],
    ["Library", short(data.fileBytes, "B"), "with its weights, if embedded"],
    ["Inputs", data.inputs.length, tensors(data.inputs)],
    ["Outputs", data.outputs.length, tensors(data.outputs)],
  ];
  for (const [name, value, note] of cards) {
    at("summary").append(element("div", { title: note }, element("dt", {}, name), element("dd", {}, value, element("small", {}, note))));
  }
  const forms = [...new Set(data.steps.map((step) => step.form).filter(Boolean))].sort();
  for (const form of forms) {
    const count = data.steps.filter((step) => step.form === form).length;
    at("legend").append(element("span", {}, element("i", { style: `background: var(--${form})` }), `${form} (${count})`));
  }
}

function describeTensor(tensor) {
  const parts = [tensor.kind, short(tensor.bytes, "B")];
  if (tensor.offset !== undefined) {
    parts.push(`at ${tensor.offset} until step ${tensor.last}`);
  }
  if (tensor.order) {
    parts.push(`stored in the order [${tensor.order.join(", ")}]`);
  }
  const item = element("li", {}, element("code", {}, tensor.shape), " ", tensor.name ? `${tensor.name}, ` : "", parts.join(", "), " ");
  if (tensor.from !== undefined) {
    item.append("from ", ...jumps([tensor.from], 1));
  }
  return item;
}

function showDetail(number) {
  const step = data.steps[number], detail = at("detail");
  detail.replaceChildren();
  const section = (title, ...items) => items.length && detail.append(element("h4", {}, title), element("ul", {}, ...items));
  detail.append(element("h3", {}, `${number} ${step.name}`), element("p", { class: "faint" }, step.place || ""));
  if (!step.symbol) {
    return;
  }
  const inner = step.inner.map((loop) => `${loop.what} [${loop.axes.join(", ")}]`).join(", ");
  const intensity = step.flops / Math.max(1, step.read + step.written);
  section("Form", element("li", {}, `${step.form} over [${step.axes.join(", ")}]${inner ? ", with " + inner : ""}`),
    element("li", {}, `${short(step.flops, "FLOP")}, ${short(step.read, "B")} read, ${short(step.written, "B")} written: ${intensity.toFixed(2)} FLOP a byte`),
    element("li", {}, `${short(step.grid)}tiles${step.scratch ? `, ${short(step.scratch, "B")} of scratch a thread` : ""}`),
    element("li", {}, element("code", {}, step.symbol)));
  section("Made of", ...step.ops.map((op) => data.ops[op]).map((op) =>
    element("li", {}, element("code", {}, op.op), op.node ? ` ${op.node}` : "", element("span", { class: "faint", title: op.place },
      ` ${baseName(op.place)}`, op.module ? ` in ${op.module}` : ""))));
  section("Reads", ...step.inputs.map(describeTensor));
  section("Writes", ...step.results.map(describeTensor));
  const readers = data.steps.map((other, i) => [other, i]).filter(([other]) => (other.inputs || []).some((tensor) => tensor.from === number)).map(([, i]) => i);
  section("Read by", ...readers.map((i) => element("li", {}, ...jumps([i], 1))));
  const own = new Set(step.ops);
  section("Decisions", ...data.remarks.filter((remark) => own.has(remark.op)).map((remark) => element("li", {}, remark.text)));
}

/// A row for each line whose ops pass the filter: each line once, with all the modules that run it.
function showLines(matches) {
  const rows = new Map();
  data.ops.forEach((op, i) => {
    if (!computing.includes(op) || !matches(`${op.op} ${op.node} ${op.place} ${op.module} ${kernelsOfOp[i].map((k) => data.steps[k].name).join(" ")}`)) {
      return;
    }
    const key = op.place || op.node || op.op;
    const row = rows.get(key) || { place: op.place, modules: new Set(), ops: new Map(), kernels: new Set() };
    rows.set(key, row);
    row.modules.add(op.module);
    row.ops.set(op.op, (row.ops.get(op.op) || 0) + 1);
    kernelsOfOp[i].forEach((kernel) => row.kernels.add(kernel));
  });
  // Equal layers differ in a number.
  const alike = (names) => [...new Set(names.map((name) => name.replace(/\.\d+(?=\.|$)/g, ".*")))];
  const few = (names) => names.slice(0, 3).join(", ") + (names.length > 3 ? ` and ${names.length - 3} more` : "");
  at("lines").tBodies[0].replaceChildren(...[...rows.values()].map((row) => {
    const modules = [...row.modules].filter(Boolean), steps = [...row.kernels].sort((a, b) => a - b);
    return element("tr", {}, element("td", { title: row.place }, baseName(row.place)), element("td", { title: modules.join(", ") }, few(alike(modules))),
      element("td", {}, [...row.ops].map(([op, count]) => (count > 1 ? `${op} ×${count}` : op)).join(", ")),
      element("td", {}, ...(steps.length ? jumps(steps, 8) : [element("span", { class: "faint" }, "none: a view, constant or unused")])));
  }));
}

function showRemarks(matches) {
  const counts = new Map();
  for (const remark of data.remarks) {
    if (matches(`${remark.place} ${remark.text} ${remark.op === undefined ? "" : data.ops[remark.op].module}`)) {
      const key = JSON.stringify([remark.place, remark.text]);
      counts.set(key, (counts.get(key) || 0) + 1);
    }
  }
  at("remarks").tBodies[0].replaceChildren(...[...counts].map(([key, count]) => {
    const [place, text] = JSON.parse(key);
    return element("tr", {}, element("td", { title: place }, baseName(place)), element("td", {}, text + (count > 1 ? ` (×${count})` : "")));
  }));
}

function filter() {
  const words = at("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (text) => words.every((word) => text.toLowerCase().includes(word));
  data.steps.forEach((step, i) => {
    const ops = (step.ops || []).map((op) => data.ops[op]).map((op) => `${op.op} ${op.node} ${op.place} ${op.module}`).join(" ");
    kernels.rows[i].classList.toggle("hidden", !matches(`${i} ${step.name} ${step.place} ${ops}`));
  });
  showLines(matches);
  showRemarks(matches);
}

showSummary();
kernels = drawKernels(at("kernels"), data, nodesOf, choose);
memory = drawMemory(at("memory"), data, choose);
at("search").addEventListener("input", filter);
filter();
if (data.steps.length) {
  choose(0);
}
