// The kernels' list with its edges, and the memory plan. Text from the model is only ever set as text.
"use strict";

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "onclick") {
      made.addEventListener("click", value);
    } else {
      made.setAttribute(name, value);
    }
  }
  made.append(...children.map((child) => (child instanceof Node ? child : document.createTextNode(String(child)))));
  return made;
}

function drawing(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, value);
  }
  return made;
}

/// 1234567 as "1.23 M": at most three digits.
function short(number, unit) {
  const steps = ["", "k", "M", "G", "T", "P"];
  let step = 0;
  while (number >= 999.5 && step + 1 < steps.length) {
    number /= 1000;
    ++step;
  }
  const digits = step === 0 || number >= 100 ? 0 : number >= 10 ? 1 : 2;
  return number.toFixed(digits) + " " + steps[step] + (unit || "");
}

/// "model.py:41" of a path, which is in the title.
function baseName(place) {
  return place.slice(place.lastIndexOf("/") + 1);
}

const kRowHeight = 24, kHeadHeight = 27, kGutter = 108;

function colorOf(step) {
  return `var(--${step.form || "plain"})`;
}

/// A share of the largest amount as a bar behind its number.
function amountOf(value, largest, unit) {
  const share = largest > 0 ? (100 * value) / largest : 0;
  const bar = `linear-gradient(to left, color-mix(in srgb, var(--accent) 30%, transparent) ${share}%, transparent ${share}%)`;
  return element("span", { class: "amount", style: `background: ${bar}`, title: `${value} ${unit}` }, value ? short(value, "") : "");
}

/// Edges as [from, to], once each.
function edgesOf(steps) {
  const edges = [];
  steps.forEach((step, to) => {
    for (const from of new Set((step.inputs || []).map((tensor) => tensor.from).filter((from) => from !== undefined))) {
      edges.push([from, to]);
    }
  });
  return edges;
}

function drawKernels(place, data, nodesOf, choose) {
  const steps = data.steps;
  const head = element("div", { class: "kernel heads" }, ...["", "kernel", "ops", "line", "FLOP", "bytes"].map((text) => element("span", {}, text)));
  place.append(head);
  const height = kHeadHeight + steps.length * kRowHeight + 8;
  const svg = drawing("svg", { width: kGutter, height });
  place.append(svg);
  const middle = (i) => kHeadHeight + i * kRowHeight + 13;
  const edges = edgesOf(steps).map(([from, to]) => {
    const span = to - from, y0 = middle(from), y1 = middle(to);
    // Neighbours are joined straight; the farther a result is read, the farther out its line goes.
    const out = span === 1 ? 0 : Math.min(kGutter - 14, 8 + 11 * Math.log2(span) * 1.35);
    const x = kGutter - 6;
    const path = drawing("path", { class: "edge", d: `M ${x} ${y0} C ${x - out * 1.3} ${y0} ${x - out * 1.3} ${y1} ${x} ${y1}` });
    svg.append(path);
    return { from, to, path };
  });
  const most = (key) => Math.max(0, ...steps.map((step) => step[key] || 0));
  const flops = most("flops"), bytes = Math.max(0, ...steps.map((step) => (step.read || 0) + (step.written || 0)));
  const rows = steps.map((step, i) => {
    const dot = element("i", { style: `background: ${colorOf(step)}` });
    const row = element("div", { class: "kernel", style: `top: ${kHeadHeight + i * kRowHeight}px`, onclick: () => choose(i) },
      element("span", { class: "number" }, i), element("span", { title: step.name }, dot, step.name),
      element("span", { class: "ops", title: nodesOf(step).join(", ") }, nodesOf(step).join(", ")),
      element("span", { class: "place", title: step.place }, baseName(step.place)),
      amountOf(step.flops || 0, flops, "FLOP"), amountOf((step.read || 0) + (step.written || 0), bytes, "bytes"));
    place.append(row);
    return row;
  });
  place.append(element("div", { style: `height: ${height - kHeadHeight}px` }));
  return {
    rows,
    show(chosen) {
      rows.forEach((row, i) => row.classList.toggle("chosen", i === chosen));
      for (const { from, to, path } of edges) {
        path.setAttribute("class", to === chosen ? "edge in" : from === chosen ? "edge out" : "edge");
        if (to === chosen || from === chosen) {
          svg.append(path); // above the others
        }
      }
      const top = kHeadHeight + chosen * kRowHeight;
      if (top < place.scrollTop + kHeadHeight || top > place.scrollTop + place.clientHeight - 2 * kRowHeight) {
        place.scrollTop = top - place.clientHeight / 2;
      }
    },
  };
}

/// x: steps, y: bytes of the arena.
function drawMemory(place, data, choose) {
  const steps = data.steps, peak = data.arenaBytes;
  const results = steps.flatMap((step, i) => (step.results || []).filter((tensor) => tensor.kind === "arena").map((tensor) => ({ step: i, tensor })));
  if (!results.length) {
    place.append(element("p", { class: "faint" }, "No intermediate result needs memory."));
    return { show() {} };
  }
  const width = 1400, height = 380, left = 70, bottom = 24, top = 10;
  const svg = drawing("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" });
  const x = (step) => left + ((width - left - 10) * step) / steps.length;
  const y = (offset) => height - bottom - ((height - bottom - top) * offset) / peak;
  const label = (text, attributes) => {
    const made = drawing("text", attributes);
    made.textContent = text;
    svg.append(made);
  };
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    svg.append(drawing("line", { x1: left, x2: width - 10, y1: y(peak * share), y2: y(peak * share) }));
    label(short(peak * share, "B"), { x: left - 8, y: y(peak * share) + 4, "text-anchor": "end" });
  }
  const every = Math.max(1, Math.ceil(steps.length / 12));
  for (let i = 0; i < steps.length; i += every) {
    label(i, { x: x(i), y: height - 8, "text-anchor": "middle" });
  }
  const rectangles = results.map(({ step, tensor }) => {
    const from = y(tensor.offset + tensor.bytes);
    const rectangle = drawing("rect", { x: x(step), y: from, width: x(tensor.last + 1) - x(step), height: Math.max(1, y(tensor.offset) - from),
      fill: colorOf(steps[step]), "fill-opacity": 0.75, rx: 1.5 });
    const title = drawing("title", {});
    title.textContent = `${step} ${steps[step].name}: ${tensor.shape}, ${short(tensor.bytes, "B")} at ${tensor.offset}, until step ${tensor.last}`;
    rectangle.append(title);
    rectangle.addEventListener("click", () => choose(step));
    svg.append(rectangle);
    return { step, rectangle };
  });
  place.append(svg);
  return {
    show(chosen) {
      for (const { step, rectangle } of rectangles) {
        rectangle.classList.toggle("chosen", step === chosen);
      }
    },
  };
}
