// Keeps a page current while it is open. All pages work without it.
"use strict";
(() => {
  const main = document.getElementById("main");
  const banner = document.getElementById("banner");
  const mark = document.getElementById("live-mark");
  const address = main && main.dataset.liveAddress;

  // Makes `old` equal to `fresh`, and changes no more than it must: focus, scroll, open folds and what was typed stay.
  const morph = (old, fresh) => {
    if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName || (old.id || "") !== (fresh.id || "")) {
      old.replaceWith(fresh.cloneNode(true));
      return;
    }
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
      return;
    }
    if (old.dataset.draft && old.dataset.draft === fresh.dataset.draft) return;
    const kept = (name) => name === "open" && old.nodeName === "DETAILS";
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !kept(name)) old.removeAttribute(name);
    for (const { name, value } of fresh.attributes) {
      if (old.getAttribute(name) !== value && !kept(name)) old.setAttribute(name, value);
    }
    if (["INPUT", "TEXTAREA", "SELECT"].includes(old.nodeName)) return;
    morphChildren(old, fresh);
  };

  const morphChildren = (old, fresh) => {
    const byId = new Map([...old.children].filter((child) => child.id).map((child) => [child.id, child]));
    let next = old.firstChild;
    for (const child of [...fresh.childNodes]) {
      const known = child.id ? byId.get(child.id) : null;
      if (known) {
        if (known === next) next = next.nextSibling;
        else old.insertBefore(known, next);
        morph(known, child);
      } else if (next && !next.id && !child.id) {
        const after = next.nextSibling;
        morph(next, child);
        next = after;
      } else {
        old.insertBefore(child.cloneNode(true), next);
      }
    }
    while (next) {
      const after = next.nextSibling;
      next.remove();
      next = after;
    }
  };

  const say = (text) => {
    if (banner.textContent !== text) banner.textContent = text;
    banner.hidden = !text;
  };

  let isLoading = false;
  let isStale = false;
  let last = 0;

  // Loads the page again and replaces the parts that follow the store. At most once a second.
  const update = async () => {
    isStale = true;
    if (isLoading) return;
    isLoading = true;
    while (isStale) {
      isStale = false;
      await new Promise((done) => setTimeout(done, Math.max(0, last + 1000 - Date.now())));
      last = Date.now();
      try {
        const response = await fetch(location.href, { credentials: "same-origin", headers: { accept: "text/html" } });
        const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
        if (response.ok) {
          const focused = document.activeElement;
          for (const part of document.querySelectorAll("[data-live][id]")) {
            const found = fresh.getElementById(part.id);
            if (found) morph(part, found);
          }
          // An element that was moved has lost the focus.
          if (focused && focused.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
          document.title = fresh.title;
          say("");
        } else {
          const title = fresh.querySelector("h1");
          say("This page is not current: " + (title ? title.textContent : response.status) + ". Load it again to see more.");
        }
      } catch {
        say("The server can't be reached. This page is not current until it is back.");
      }
    }
    isLoading = false;
  };

  let source = null;
  let retry = null;

  const disconnect = () => {
    clearTimeout(retry);
    if (source) source.close();
    source = null;
    mark.hidden = true;
  };

  const connect = () => {
    disconnect();
    source = new EventSource(address);
    source.onopen = () => { mark.hidden = false; };
    source.addEventListener("changed", update);
    source.addEventListener("trouble", (event) => say("This page is not current: " + JSON.parse(event.data)));
    source.addEventListener("draft", (event) => {
      const { key, text } = JSON.parse(event.data);
      const places = [...document.querySelectorAll("[data-draft]")].filter((place) => place.dataset.draft === key);
      for (const place of places) {
        const isAtEnd = place.scrollTop + place.clientHeight >= place.scrollHeight - 8;
        place.textContent = text;
        if (isAtEnd) place.scrollTop = place.scrollHeight;
      }
      if (!places.length && text) update();
    });
    source.onerror = () => {
      // The browser connects again after a lost connection, but not after an error page or a server that is gone.
      mark.hidden = true;
      say("The connection is lost. This page is not current until it is back.");
      if (source && source.readyState === EventSource.CLOSED) retry = setTimeout(connect, 3000);
    };
  };

  if (address && window.EventSource) {
    // A page that nobody sees needs no connection; browsers have few for each site.
    const follow = () => (document.hidden ? disconnect() : connect());
    document.addEventListener("visibilitychange", follow);
    window.addEventListener("pagehide", disconnect);
    follow();
  }

  // A graph that is larger than its frame shows the task at which the run is.
  for (const frame of document.querySelectorAll(".graph-scroll")) {
    const node = ["active", "waiting", "failed", "good", "taken"].map((state) => frame.querySelector(".node-" + state)).find(Boolean)
      || frame.querySelector(".node");
    if (!node) continue;
    const [inner, outer] = [node.getBoundingClientRect(), frame.getBoundingClientRect()];
    frame.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
    frame.scrollTop += inner.top + inner.height / 2 - outer.top - outer.height / 2;
  }

  const units = [["d", 172800, 86400], ["h", 3600, 3600], ["min", 60, 60], ["s", 0, 1]];
  const relative = () => {
    for (const time of document.querySelectorAll("time[data-relative]")) {
      const seconds = Math.round((Date.now() - Date.parse(time.dateTime)) / 1000);
      if (Number.isNaN(seconds)) continue;
      const [unit, , size] = units.find(([, from]) => Math.abs(seconds) >= from);
      const text = Math.floor(Math.abs(seconds) / size) + " " + unit;
      time.textContent = seconds === 0 ? "just now" : seconds > 0 ? text + " ago" : "in " + text;
    }
  };
  setInterval(relative, 10000);

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.confirm && !confirm(form.dataset.confirm)) event.preventDefault();
  });
  document.addEventListener("change", (event) => {
    const form = event.target.form;
    if (form && form.hasAttribute("data-submit-on-change") && event.target.nodeName === "SELECT") form.requestSubmit();
  });

  // Buttons that change a form post it. Without a new page, only the section of the form is replaced.
  document.documentElement.classList.add("script");
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    const button = event.submitter;
    const section = form.closest("[data-fields]");
    if (!section || !button || button.name !== "do" || !button.value.includes(":")) return;
    event.preventDefault();
    const hash = (button.getAttribute("formaction") || "").slice(1);
    let fresh = null;
    try {
      const body = new URLSearchParams(new FormData(form, button));
      const response = await fetch(form.getAttribute("action"), { method: "POST", body, credentials: "same-origin" });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      fresh = response.ok && page.getElementById(section.id);
    } catch { /* The browser posts the form, and shows the error. */ }
    if (!fresh) {
      section.removeAttribute("data-fields");
      form.requestSubmit(button);
      return;
    }
    section.replaceWith(fresh);
    const chosen = button.value === "switch:" && fresh.querySelector("#" + hash + " input:checked");
    const group = fresh.querySelector("#" + (hash || "none"));
    const rows = group && button.value.startsWith("add:") ? group.querySelectorAll(":scope > .rows > .row") : [];
    const row = rows.length ? rows[rows.length - 1].querySelector("input:not([type=hidden]), textarea, select, button") : null;
    const target = chosen || row || group || fresh.querySelector("input:not([type=hidden]), textarea, select");
    if (target) target.focus();
  });
  document.addEventListener("change", (event) => {
    const variants = event.target.name && event.target.name.startsWith("as:") && event.target.closest("[data-switch]");
    if (variants) variants.querySelector("button[value='switch:']").click();
  });
})();
