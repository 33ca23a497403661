#!/usr/bin/env python3
"""Opens the dashboard in a headless Chromium and compares what it shows with what the API says.

check.py --server PROGRAM [--screenshots FOLDER]     the real server, with a year that `server demo` invents
check.py --mock                                      mock.py in its place, for work on the page

Each check says what must hold; the first that doesn't ends the run with status 1. Nothing may be asked of another machine, no
console error and no breach of the content security policy may come up on the way.
"""
import argparse
import datetime
import json
import pathlib
import subprocess
import sys
import time
import urllib.parse
import zoneinfo

from chromium import Chromium
from server import API, Failure, RealServer

PAGES = ["today", "types", "types/steps?range=month", "types/heart_rate?range=week", "sleep", "workouts", "write", "senders"]

# Names of what can be focused, and every text's contrast with what lies behind it, gradients at their worst.
AUDIT = r"""(() => {
  const parse = (text) => [...text.matchAll(/rgba?\(([^)]+)\)|color\(srgb ([^)]+)\)/g)].map((match) => {
    const parts = (match[1] ?? match[2]).split(/[\s,\/]+/).map(Number);
    const scale = match[1] ? 1 : 255;
    return [parts[0] * scale, parts[1] * scale, parts[2] * scale, parts[3] ?? 1];
  });
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const light = (colour) => [0, 1, 2].map((i) => colour[i] / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const grounds = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
      const style = getComputedStyle(one);
      const stops = /gradient/.test(style.backgroundImage) && !one.matches(".scroll, .none, .plot *") ? parse(style.backgroundImage) : [];
      if (stops.length) layers.push(stops);
      const [colour] = parse(style.backgroundColor);
      if (colour && colour[3] > 0) { layers.push([colour]); if (colour[3] === 1) break; }
      if (stops.length && stops.every((stop) => stop[3] === 1)) break;
    }
    return layers.reverse().reduce((below, layer) => below.flatMap((ground) => layer.map((colour) => over(colour, ground))), [[255, 255, 255, 1]]);
  };
  const faint = [];
  let worst = 99, texts = 0;
  for (const element of document.querySelectorAll("body *")) {
    const isText = element.matches("svg text");
    if (element.closest("svg") && !isText) continue;
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const box = element.getBoundingClientRect();
    if (!own || !box.width || !box.height || element.closest(".unseen, noscript, option, datalist, [hidden]") || element.matches(".skip")) continue;
    const style = getComputedStyle(element);
    if (style.visibility !== "visible" || parseFloat(style.fontSize) === 0) continue;
    if (element.closest(".off") || element.disabled) continue;
    const [colour] = parse(isText ? style.fill : style.color);
    if (!colour) continue;
    const size = parseFloat(style.fontSize), need = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700 ? 3 : 4.5;
    const least = Math.min(...grounds(isText ? element.ownerSVGElement.parentElement : element).map((ground) => contrast(over(colour, ground), ground)));
    texts += 1;
    worst = Math.min(worst, least);
    if (least < need) faint.push(`${least.toFixed(2)} ${element.tagName}.${element.getAttribute("class")} "${element.textContent.trim().slice(0, 40)}"`);
  }
  const nameless = [...document.querySelectorAll("a[href], button, input, select, [role=slider], [role=region], svg[role=img]")].filter((element) => {
    if (element.hidden || element.type === "hidden") return false;
    const labels = element.labels ? [...element.labels].map((label) => label.textContent).join("") : "";
    const by = (element.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join("");
    return !(element.getAttribute("aria-label") || by || labels.trim() || (element.matches("a, button") && (element.textContent.trim() || element.querySelector("[alt]:not([alt=''])"))));
  }).map((element) => element.outerHTML.slice(0, 120));
  const wide = document.documentElement.scrollWidth > innerWidth + 1
    ? [...document.querySelectorAll("main *")].filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest(".scroll, pre")).slice(0, 3).map((one) => one.outerHTML.slice(0, 100)) : [];
  const headings = [...document.querySelectorAll("h1, h2, h3")].map((one) => Number(one.tagName[1]));
  const broken = [...document.querySelectorAll("main svg *")].flatMap((one) => [...one.attributes]).filter((one) => /NaN|undefined|Infinity/.test(one.value)).map((one) => `${one.ownerElement.tagName} ${one.name}=${one.value.slice(0, 60)}`);
  return { broken, faint, worst, texts, nameless, wide, headings, mains: document.querySelectorAll("main").length, navs: document.querySelectorAll("nav").length };
})()"""


class Check:
    def __init__(self, base, tokens, screenshots):
        self.base, self.tokens, self.screenshots = base, tokens, screenshots
        self.api = API(base, tokens["write"])
        self.browser, self.pages, self.count = Chromium(), [], 0

    def holds(self, what, sentence, detail=""):
        self.count += 1
        if not what:
            raise Failure(f"does not hold: {sentence} {detail}")

    def equal(self, shown, expected, sentence):
        self.holds(shown == expected, sentence, f"\n  shown    {shown!r}\n  expected {expected!r}")

    # Steps that checks share.

    def page(self, **options):
        page = self.browser.page(**options)
        self.pages.append(page)
        return page

    def sign_in(self, page, token, base=None):
        page.open(base or self.base)
        page.wait("document.querySelector('#token')")
        page.run("document.querySelector('#token').focus()")
        page.type(self.tokens.get(token, token))
        page.key("Enter")
        self.settled(page)

    def settled(self, page):
        page.wait("document.querySelector('nav') && document.querySelector('main h1') && !document.querySelector('main').hasAttribute('aria-busy')", 20)

    def go(self, page, route):
        page.run(f"performance.clearMarks('shown'); location.hash = '#/{route}'")
        page.wait("performance.getEntriesByName('shown').length > 0", 20)
        # Charts are drawn once their box has a width, before the next frame is painted.
        page.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def text(self, page, selector):
        return page.run(f"document.querySelector({json.dumps(selector)})?.innerText.replace(/\\s+/g, ' ').trim() ?? null")

    def texts(self, page, selector):
        return page.run(f"[...document.querySelectorAll({json.dumps(selector)})].map((one) => one.innerText.replace(/\\s+/g, ' ').trim())")

    # Checks, in the order in which someone would do these things.

    def door(self):
        page = self.page()
        page.open(self.base)
        page.wait("document.querySelector('#token')")
        self.equal(page.run("document.activeElement.id"), "token", "the token's field has the focus")
        self.holds("server token add" in self.text(page, "main"), "who has no token is told how to get one")
        page.type("sat_wrong")
        page.key("Enter")
        page.wait("document.querySelector('#wrong').textContent")
        self.holds("not a token" in self.text(page, "#wrong"), "a wrong token is said to be one")
        self.equal(page.run("[document.activeElement.id, document.querySelector('#token').value]"), ["token", ""], "after a wrong token the empty field has the focus")
        self.holds(not page.run("!!document.querySelector('nav')"), "a wrong token shows nothing")
        if self.screenshots:
            fresh = self.page(width=1100, height=760)
            fresh.open(self.base)
            fresh.wait("document.querySelector('#token')")
            fresh.shot(self.screenshots / "sign-in.png", full=False)
        page.type(self.tokens["write"])
        page.key("Enter")
        self.settled(page)
        self.equal(page.run("document.cookie"), "", "no script can read the session's cookie")
        self.equal(page.run("JSON.stringify([localStorage, sessionStorage]).includes('sat_')"), False, "the token is kept nowhere")
        # Again without a token: the cookie is enough.
        page.open(f"{self.base}#/types")
        page.run("location.reload()")
        self.settled(page)
        self.holds(self.text(page, "h1") == "Types", "a reload keeps the session and the page")
        self.main = page

    def today(self):
        page, zone = self.main, self.zone
        # Pages that are left at once ask in vain, and what the last one asks is answered all the same.
        page.run("['types', 'today', 'senders', 'today'].forEach((name) => { location.hash = `#/${name}`; dispatchEvent(new Event('hashchange')); })")
        page.wait("document.querySelector('.hero')")
        self.go(page, "today?again")
        date = self.date
        day = page.run("new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(%s))" % json.dumps(date.isoformat()))
        self.equal(self.text(page, "h1"), day, f"the day is the person's, by the clock of {zone}")
        # A finished day has numbers that don't change while this runs.
        before = date - datetime.timedelta(days=1)
        self.go(page, f"today/{before}")
        cards = page.run("Object.fromEntries([...document.querySelectorAll('.figurecard')].map((one) => [one.querySelector('h3').innerText, one.querySelector('.figure').innerText]))")
        bucket = self.buckets("steps", "day", before, date)[0]
        self.equal(cards.get("Steps"), f"{round(bucket['sum']):,} steps", "the card of steps has the day's total")
        nights = [one for one in self.api.get("sleep", from_=before, to=date)["nights"] if not one["nap"]]
        self.equal(cards.get("Sleep"), duration(nights[-1]["asleep_s"]) if nights and nights[-1]["asleep_s"] else "–", "the card of sleep has the night to that morning")
        status, answer = self.api.ask("activity", from_=before, to=date)
        rings = answer["days"] if status == 200 else []
        if rings and rings[-1]["move"]["goal"]:
            label = page.run("document.querySelector('.ringbox > .rings').getAttribute('aria-label')")
            move = rings[-1]["move"]
            self.holds(f"Move {round(move['phone'] if move['phone'] is not None else move['computed']):,} of {round(move['goal']):,} kcal" in label, "the rings say their numbers", label)
            self.equal(page.run("document.querySelectorAll('.week li').length"), 7, "a week of rings is there")
        mean = [self.day_sum("steps", before - datetime.timedelta(days=i)) for i in range(1, 31)]
        mean = [one for one in mean if one is not None]
        note = page.run("[...document.querySelectorAll('.figurecard')].find((one) => one.querySelector('h3').innerText === 'Steps').querySelector('.note').innerText")
        self.holds(f"30-day mean of {round(sum(mean) / len(mean)):,} steps" in note, "the comparison is with the mean of the 30 days before", note)
        self.equal(page.run("document.querySelectorAll('.figurecard svg').length >= document.querySelectorAll('.figurecard').length - 1"), True, "cards have their trend")

    def types(self):
        page = self.main
        self.go(page, "types")
        types = self.api.get("types")["types"]
        self.equal(page.run("document.querySelectorAll('.rows li').length"), len(types), "every type is listed")
        page.run("document.querySelector('#search').focus()")
        page.type("heart rate")
        page.wait("document.querySelectorAll('.rows li').length < %d" % len(types))
        self.holds(all("eart rate" in one for one in self.texts(page, ".rows .name")), "the search finds by name")
        page.type(" zzz")
        page.wait("!document.querySelector('.rows li')")
        self.holds("No stored type" in self.text(page, "main"), "a search without a result says so")

    def keyboard(self):
        """From the first key to a value in a chart, without a pointer."""
        page = self.main
        self.go(page, "today")
        page.run("document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex')")
        page.key("Tab")
        self.equal(self.text(page, ":focus"), "Skip to content", "the first stop is the way past the navigation")
        for _ in range(4):
            page.key("Tab")
            if page.run("document.activeElement.dataset.page === 'types'"):
                break
        self.holds(page.run("document.activeElement.dataset.page === 'types'"), "Tab reaches the pages")
        page.key("Enter")
        page.wait("document.querySelector('#search')")
        self.settled(page)
        self.equal(page.run("document.activeElement.tagName"), "H1", "a new page has the focus at its heading")
        page.key("Tab")
        self.equal(page.run("document.activeElement.id"), "search", "the search comes next")
        page.type("steps")
        page.wait("document.querySelectorAll('.rows li').length === 1")
        page.key("Tab")
        page.key("Enter")
        page.wait("document.querySelector('.plot')")
        self.settled(page)
        for _ in range(12):
            page.key("Tab")
            if page.run("document.activeElement.getAttribute('role') === 'slider'"):
                break
        self.equal(page.run("document.activeElement.getAttribute('role')"), "slider", "Tab reaches the chart")
        page.wait("!document.querySelector('#sources + .quiet')")
        page.key("Home")
        first = page.run("document.activeElement.getAttribute('aria-valuetext')")
        # The page opens at the newest day with data: on the first of a month that may be one of the month before.
        last = next(one["last"] for one in self.api.get("types")["types"] if one["type"] == "steps")
        newest = datetime.datetime.fromisoformat(last.replace("Z", "+00:00")).astimezone(zoneinfo.ZoneInfo(self.zone)).date()
        begin = min(newest, self.date).replace(day=1)
        total = self.day_sum("steps", begin)
        self.holds((f"{round(total):,} steps" if total is not None else "No data") in first, "the chart reads out its first day", first)
        page.key("ArrowRight")
        self.holds(page.run("document.activeElement.getAttribute('aria-valuetext')") != first, "an arrow key goes on")
        page.key("Escape")
        self.holds("Mean of a day" in page.run("document.activeElement.getAttribute('aria-valuetext')"), "Escape goes back to the whole")

    def type(self):
        page, date = self.main, self.date
        last = date.replace(day=1) - datetime.timedelta(days=1)
        begin = last.replace(day=1)
        end = date.replace(day=1)
        self.go(page, f"types/steps?range=month&at={last}")
        page.wait("document.querySelector('main table')")
        buckets = self.buckets("steps", "day", begin, end, sources="true")
        total = sum(one["sum"] for one in buckets)
        self.holds(f"{round(total):,} steps in {len(buckets)} days with data" in self.text(page, ".readout .note"), "the month's total is the API's", self.text(page, ".readout"))
        sources = {(share["app"], share["device"]) for one in buckets for share in one["sources"]}
        self.equal(page.run("document.querySelectorAll('section:has(> #sources) tbody tr').length"), len(sources), "each source has its row")
        page.run("document.querySelector('.as-table').open = true")
        page.wait("document.querySelector('.as-table tbody tr')")
        self.equal(page.run("document.querySelectorAll('.as-table tbody tr').length"), len(buckets), "the table has a row for each day with data")
        missing = (end - begin).days - len(buckets)
        self.equal(page.run("!!document.querySelector('.plot .gap')"), missing > 0, f"{missing} days without data are seen")
        page.run("(() => { const one = document.querySelector('input[value=highest-source]'); one.focus(); one.click(); })()")
        page.wait("location.hash.includes('highest-source')")
        other = sum(one["sum"] for one in self.buckets("steps", "day", begin, end, merge="highest-source"))
        page.wait("document.querySelector('.readout .note').innerText.includes(%s)" % json.dumps(f"{round(other):,} steps"))
        self.equal(page.run("document.activeElement.value"), "highest-source", "the switch keeps the focus")
        self.go(page, f"types/heart_rate?range=month&at={last}")
        month = self.buckets("heart_rate", "month", begin, end)[0]
        self.equal(self.text(page, ".readout .figure"), f"{round(month['mean'])} bpm", "the month's mean is the API's")
        self.holds(f"{round(month['min'])} to {round(month['max'])} bpm" in self.text(page, ".readout .note"), "so are its lowest and highest", self.text(page, ".readout"))
        for scale in ("day", "week", "year", "all"):
            self.go(page, f"types/steps?range={scale}&at={last}")
            self.holds(page.run("[...document.querySelectorAll('.plot .bar')].some((one) => one.getAttribute('d').length > 10)"), f"steps of a {scale} have bars")
            self.go(page, f"types/heart_rate?range={scale}&at={last}")
            self.holds(page.run("document.querySelector('.plot .mean').getAttribute('d').length > 10"), f"the heart rate of a {scale} has a line")
        page.run("document.querySelector('main > section:last-child details').open = true")
        page.wait("document.querySelectorAll('main > section:last-child tbody tr').length")
        self.equal(page.run("document.querySelectorAll('main > section:last-child tbody tr').length"), len(self.api.get("samples", type="heart_rate", order="desc", limit=50)["samples"]), "records are listed as they arrived")

    def sleep(self):
        page = self.main
        self.go(page, "sleep")
        nights = [one for one in self.api.get("sleep", from_=self.date - datetime.timedelta(days=13), to=self.date + datetime.timedelta(days=1))["nights"] if not one["nap"]]
        self.equal(page.run("document.querySelectorAll('.nights a').length"), len(nights), "each night has a bar")
        last = nights[-1]
        self.equal(self.text(page, ".readout .figure"), duration(last["asleep_s"] or last["in_bed_s"]), "the last night is enlarged")
        self.equal(page.run("document.querySelectorAll('.plot rect[class^=stage]').length"), len(last["segments"]), "it has all of its stages")
        self.holds(last["start"][11:16].lstrip("0") in self.text(page, ".readout .note").replace(" 0", " "), "and its bedtime by the person's clock", self.text(page, ".readout .note"))
        page.run("document.querySelectorAll('.nights a')[1].focus()")
        page.key("Enter")
        page.wait("document.querySelector('.readout .figure')?.innerText === %s" % json.dumps(duration(nights[-2]["asleep_s"] or nights[-2]["in_bed_s"])))
        self.go(page, "sleep?nights=30")
        self.equal(page.run("document.querySelectorAll('.nights > li').length"), 30, "thirty nights are there, with those that are missing")

    def workouts(self):
        page = self.main
        self.go(page, "workouts")
        workouts = self.api.get("workouts", limit=100)["workouts"]
        self.equal(page.run("document.querySelectorAll('.workoutrows li').length"), len(workouts), "each workout is listed")
        one = next(one for one in workouts if one["has_route"])
        detail = self.api.get(f"workouts/{one['uuid']}", device=one["device"])
        self.go(page, f"workouts/{one['uuid']}?device={urllib.parse.quote(one['device'])}")
        self.holds(page.run("document.querySelectorAll('.route .leg').length > 0"), "its route is drawn")
        self.holds("drawn without a map" in page.run("document.querySelector('.route').getAttribute('aria-label')"), "the drawing has a name")
        self.equal(page.run("document.querySelectorAll('section:has(> .titlebar > #splits) tbody tr').length"), len(detail["splits"]["km"]), "each kilometre has a row")
        if detail["heart_rate"]:
            self.holds(f"{round(detail['heart_rate']['mean'])} bpm" in self.text(page, ".facts"), "the mean heart rate is the API's", self.text(page, ".facts"))
            page.run("document.querySelector('.plot').focus()")
            page.key("End")
            page.key("ArrowLeft")
            self.equal(page.run("document.querySelector('.route .walker').getAttribute('visibility')"), "visible", "the curve's cursor shows where that was")
        for kind, word in (("gpx", "<gpx"), ("geojson", "FeatureCollection\"|\"Feature\"|LineString")):
            answer = page.run(f"fetch(document.querySelector('.links a[href*=\".{kind}\"]').href).then(async (answer) => [answer.status, new RegExp({json.dumps(word)}).test(await answer.text())])")
            self.equal(answer, [200, True], f"the link to {kind} gives one")

    def write(self):
        page = self.main
        self.go(page, "write")
        before = {one["id"] for one in self.api.get("commands")["commands"]}
        self.equal(page.run("document.querySelectorAll('section:has(> #queue) tbody tr').length"), len(before), "the queue is there")
        page.run("document.querySelector('#w-value').focus()")
        page.type("much")
        page.key("Enter")
        page.wait("document.querySelector('#writeerror').textContent")
        self.equal(page.run("document.activeElement.id"), "w-value", "a value that is no number is pointed at")
        page.run("document.querySelector('#w-value').value = ''")
        page.type("1,500")
        page.key("Enter")
        page.wait("document.querySelector('#writeerror').textContent.includes('1500')")
        page.run("document.querySelector('#w-value').value = ''")
        page.type("71.5")
        clock = page.run("document.querySelector('#w-at').value")
        there = datetime.datetime.now(zoneinfo.ZoneInfo(self.zone)).replace(tzinfo=None)
        self.holds(abs((there - datetime.datetime.fromisoformat(clock)).total_seconds()) < 120, f"the form begins now, by the clock of {self.zone}", clock)
        page.key("Enter")
        page.wait("document.querySelector('.done')?.textContent.includes('Queued')")
        added = [one for one in self.api.get("commands")["commands"] if one["id"] not in before]
        self.equal([(one["type"], float(one["value"]), one["unit"], one["state"]) for one in added], [("body_mass", 71.5, "kg", "waiting")], "the command is queued as typed")
        start = datetime.datetime.fromisoformat(added[0]["start"].replace("Z", "+00:00")).astimezone(zoneinfo.ZoneInfo(self.zone))
        self.equal(start.strftime("%Y-%m-%dT%H:%M"), clock, f"its time is read by the clock of {self.zone}")
        cancel = f"document.querySelector('button[aria-label=\"Cancel {added[0]['id']}\"]')"
        page.wait(cancel)
        page.run(f"{cancel}.click()")
        page.wait(f"!{cancel}")
        now = [one for one in self.api.get("commands")["commands"] if one["id"] == added[0]["id"]]
        self.holds(not now or now[0]["state"] != "waiting", "a cancelled command waits no more", now)

    def senders(self):
        page = self.main
        self.go(page, "senders")
        status = self.api.get("status")
        self.equal(page.run("document.querySelectorAll('.sender').length"), len(status["endpoints"]), "each sender has its card")
        self.holds(f"{status['endpoints'][0]['samples']:,}" in self.text(page, ".sender"), "with what it stored", self.text(page, ".sender"))
        refused = [one for one in status["deliveries"] if one["status"] >= 400]
        self.equal(page.run("document.querySelectorAll('section:has(> .titlebar > #deliveries) tbody .state-refused').length"), len(refused), "refused deliveries are marked")
        if refused:
            self.holds(refused[0]["code"] in self.text(page, "section:has(> .titlebar > #deliveries) tbody"), "and have their code")
        if status["rhythms"]:
            self.equal(page.run("document.querySelectorAll('section:has(> #rhythm) tbody tr').length"), len(status["rhythms"]), "each rhythm has its row")

    def looks(self):
        """Contrast, names, headings and width of every page, in both schemes, wide and on a small phone."""
        worst = 99
        for dark, phone in ((False, False), (True, False), (False, True), (True, True)):
            page = self.page(width=360, height=740, dark=dark, touch=True) if phone else self.page(dark=dark)
            self.sign_in(page, "write")
            found = []
            workout = next(one for one in self.api.get("workouts", limit=100)["workouts"] if one["has_route"])
            for route in [*PAGES, f"workouts/{workout['uuid']}?device={urllib.parse.quote(workout['device'])}", "nowhere"]:
                self.go(page, route)
                if route.startswith("types/"):
                    page.wait("!document.querySelector('#sources + .quiet')")
                found.append((route, page.run(AUDIT)))
            for route, audit in found:
                where = f"{route}, {'dark' if dark else 'light'}, {'phone' if phone else 'wide'}"
                self.equal(audit["faint"], [], f"text is readable: {where}")
                self.equal(audit["broken"], [], f"every shape has a place: {where}")
                self.equal(audit["nameless"], [], f"what can be used has a name: {where}")
                self.equal(audit["wide"], [], f"nothing is wider than the screen: {where}")
                self.equal((audit["headings"].count(1), audit["mains"], audit["navs"]), (1, 1, 1), f"one heading, one main part, one navigation: {where}")
                self.holds(all(b - a <= 1 for a, b in zip(audit["headings"], audit["headings"][1:])), f"no level of headings is skipped: {where}", audit["headings"])
                worst = min(worst, audit["worst"])
            if self.screenshots and (dark, phone) != (True, True):
                self.shots(page, dark, phone, workout)
            page.close()
        print(f"  the lowest contrast of any text is {worst:.2f} to 1")

    def shots(self, page, dark, phone, workout):
        route = f"workouts/{workout['uuid']}?device={urllib.parse.quote(workout['device'])}"
        names = {"today": "today", "type": "types/steps?range=year"} if dark or phone else {
            "today": "today", "types": "types", "type": "types/steps?range=year", "heart-rate": "types/heart_rate?range=month", "sleep": "sleep", "workouts": "workouts",
            "workout": route, "write": "write", "senders": "senders"}
        if phone:
            names = {"today": "today", "sleep": "sleep", "workout": route}
        for name, where in names.items():
            self.go(page, where)
            page.run("document.activeElement.blur(); scrollTo(0, 0)")
            if where.startswith("types/"):
                page.wait("!document.querySelector('#sources + .quiet')")
            page.shot(self.screenshots / f"{name}{'-dark' if dark else ''}{'-phone' if phone else ''}.png", full=name not in ("types", "workouts"))

    def logic(self):
        source = pathlib.Path(__file__).with_name("logic.js").read_text(encoding="utf-8")
        self.equal(self.main.run(source.split("\n", 1)[1].rstrip().removesuffix(";")), [], "what the modules compute is right")

    def scopes(self):
        page = self.page()
        self.sign_in(page, "read")
        self.go(page, "write")
        self.holds(not page.run("!!document.querySelector('form')"), "a token that may only read gets no form")
        self.holds("--scope write" in self.text(page, "main"), "but is told what would")
        page.run("[...document.querySelectorAll('button')].find((one) => one.textContent === 'Sign out').click()")
        page.wait("document.querySelector('#token')")
        self.equal(page.run("fetch('/api/v1/types').then((answer) => answer.status)"), 401, "after signing out nothing is shown any more")
        self.forgive(page, "/api/v1/types")

    def forgive(self, page, path):
        page.forgiven = getattr(page, "forgiven", set()) | {path}

    def empty(self, base, tokens):
        page = self.page()
        self.sign_in(page, tokens["one"], base)
        text = self.text(page, "main")
        self.holds("server link" in text and "Nothing has arrived yet" in text, "a store without data says how to pair a phone", text)
        for route in ("types", "sleep", "workouts", "write", "senders"):
            self.go(page, route)
            self.holds(len(self.text(page, "main")) > 60 and "did not work" not in self.text(page, "main"), f"without data {route} says what it is for", self.text(page, "main"))
        if self.screenshots:
            self.go(page, "today")
            page.shot(self.screenshots / "empty.png", full=False)
        if "all" in tokens:
            page = self.page()
            self.sign_in(page, tokens["all"], base)
            self.equal(page.run("[...document.querySelectorAll('.person select')[0].options].map((one) => one.value)"), ["me", "sam"], "a token for all has a switch of persons")
            page.run("(() => { const one = document.querySelector('.person select'); one.value = 'sam'; one.dispatchEvent(new Event('change')); })()")
            self.settled(page)
            page.wait("document.querySelector('main').innerText.includes('server link tablet')")

    def hostile(self, server):
        """Names that a phone may send are text, whatever is in them."""
        nasty = "<img src=x onerror=alert(1)>\u202e\"'&lt;" + "W" * 60
        start = (datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
        source = {"app": nasty, "device": "</script><script>alert(2)</script>"}
        server.run("add", "plain", "--person", "eve", "--no-sign", "--token", "plain-token-for-a-test-of-names-0000000000000")
        samples = [{"uuid": f"AAAAAAAA-0000-4000-8000-{i:012}", "type": type_, "value": value, "unit": unit, "start": start, "end": start, "source": source} for i, (type_, value, unit) in enumerate(
            [("steps", 7, "count"), ("never_heard_of", 3.5, "<b>u</b>"), ("heart_rate", 1e300, "count/min"), ("body_mass", -5, "kg"), ("mood_of_the_day", "<i>fine</i>", None)])]
        for sample in samples:
            if sample["unit"] is None:
                del sample["unit"]
        self.holds(server.deliver("plain", "plain-token-for-a-test-of-names-0000000000000", {"v": 1, "type": "sync", "device": "d_x", "samples": samples, "deleted": [], "acks": [], "more": False}) in (200, 204), "the delivery is taken")
        page = self.page(width=360, height=740)
        self.sign_in(page, server.token("eve", "--person", "eve"), server.base)
        page.wait("document.querySelector('.figurecard')")
        for route in ("today", "types", "types/steps?range=day", "types/never_heard_of", "types/heart_rate?range=all", "types/mood_of_the_day", "senders"):
            self.go(page, route)
            if route.startswith("types/"):
                page.wait("!document.querySelector('#sources + .quiet')")
                self.holds(nasty[:28] in self.text(page, "main"), f"a source's name is shown as it is: {route}", self.text(page, "main"))
            audit = page.run(AUDIT)
            self.equal((audit["broken"], audit["wide"]), ([], []), f"odd names and numbers break nothing: {route}")
        self.equal(page.run("document.querySelectorAll('main img, main script, main b b, main i i').length"), 0, "nothing of a name became a tag")

    def speed(self):
        """Printed and not judged: how long a machine takes says more about the machine."""
        page = self.page()
        self.sign_in(page, "write")
        times = []
        for _ in range(5):
            page.open("about:blank")
            page.open(f"{self.base}#/types/steps?range=year&at={self.date}")
            page.wait("document.readyState === 'complete' && performance.getEntriesByName('shown').length && document.querySelector('.plot .bar')")
            times.append(page.run("performance.getEntriesByName('shown')[0].startTime"))
        print(f"  a year of steps is there {min(times):.0f} ms after the address was opened (of {', '.join(f'{one:.0f}' for one in times)})")

    def quiet(self):
        """Nothing left the machine, nothing was complained about."""
        asked = 0
        for page in self.pages:
            for event in page.taken("Network.requestWillBeSent", "Network.webSocketCreated"):
                address = event.get("request", event)["url"]
                asked += 1
                self.holds(any(address.startswith(base) for base in (*self.bases, "about:blank", "data:")), "nothing is asked of another machine", address)
            for event in page.taken("Runtime.exceptionThrown"):
                raise Failure(f"an exception: {event['exceptionDetails'].get('exception', {}).get('description')}")
            for event in page.taken("Audits.issueAdded"):
                issue = event["issue"]
                self.holds("ContentSecurityPolicy" not in issue["code"], "the content security policy holds", issue)
            for event in page.taken("Log.entryAdded"):
                entry = event["entry"]
                path = urllib.parse.urlsplit(entry.get("url", "")).path
                # Who isn't signed in is told so by a 401, which the browser notes.
                expected = entry["level"] == "error" and "401" in entry["text"] and path in {"/session"} | getattr(page, "forgiven", set())
                self.holds(entry["level"] not in ("error", "warning") or expected, "the console is quiet", entry)
            for event in page.taken("Runtime.consoleAPICalled"):
                self.holds(event["type"] not in ("error", "warning"), "the page complains of nothing", event)
        print(f"  {asked} requests, all to this server")

    # What the API says.

    def buckets(self, type_, by, from_, to, **more):
        return self.api.get("buckets", type=type_, by=by, from_=from_, to=to, **more)["buckets"]

    def day_sum(self, type_, date):
        if not hasattr(self, "sums"):
            self.sums = {one["start"][:10]: one["sum"] for one in self.buckets(type_, "day", self.date - datetime.timedelta(days=60), self.date + datetime.timedelta(days=1))}
        return self.sums.get(date.isoformat())

    def run(self, empty_base, empty_tokens, empty_server=None):
        self.bases = {self.base, empty_base}
        self.zone = self.api.get("types")["zone"]
        self.date = datetime.datetime.now(zoneinfo.ZoneInfo(self.zone)).date()
        for step in (self.door, self.today, self.types, self.keyboard, self.type, self.sleep, self.workouts, self.write, self.senders, self.logic, self.scopes, self.looks, self.speed):
            started = time.monotonic()
            step()
            print(f"{step.__name__}: ok ({time.monotonic() - started:.1f} s)", flush=True)
        self.empty(empty_base, empty_tokens)
        if empty_server:
            self.hostile(empty_server)
        print("empty: ok")
        self.quiet()
        print(f"quiet: ok\n{self.count} things hold")


def duration(seconds):
    minutes = int(seconds / 60 + 0.5)
    return f"{minutes // 60}h {minutes % 60}m" if minutes >= 60 and minutes % 60 else f"{minutes // 60}h" if minutes >= 60 else f"{minutes}m"


def with_mock(screenshots):
    process = subprocess.Popen([sys.executable, pathlib.Path(__file__).with_name("mock.py")], stdout=subprocess.PIPE, text=True)
    try:
        base = process.stdout.readline().strip()
        check = Check(base, {"write": "sat_write", "read": "sat_read"}, screenshots)
        try:
            check.run(base, {"one": "sat_empty"})
        finally:
            check.browser.close()
    finally:
        process.terminate()
        process.wait()


def with_server(program, screenshots):
    started = time.monotonic()
    server = RealServer(program, 400 if screenshots else 75)
    try:
        tokens = {"write": server.token("writer", "--scope", "write"), "read": server.token("reader")}
        print(f"made an invented store in {time.monotonic() - started:.1f} s", flush=True)
        empty = RealServer(program, None)
        try:
            empty_tokens = {"one": empty.token("me")}
            empty.run("add", "tablet", "--person", "sam")
            empty_tokens["all"] = empty.token("family", "--all-persons")
            check = Check(server.base, tokens, screenshots)
            try:
                check.run(empty.base, empty_tokens, empty)
            finally:
                check.browser.close()
        finally:
            empty.close()
    finally:
        server.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", type=pathlib.Path)
    parser.add_argument("--mock", action="store_true")
    parser.add_argument("--screenshots", type=pathlib.Path)
    options = parser.parse_args()
    if options.screenshots:
        options.screenshots.mkdir(parents=True, exist_ok=True)
    try:
        if options.mock:
            with_mock(options.screenshots)
        elif options.server:
            with_server(options.server.resolve(), options.screenshots)
        else:
            parser.error("--server PROGRAM or --mock")
    except (Failure, AssertionError, RuntimeError) as failure:
        sys.exit(f"dashboard: {failure}")


if __name__ == "__main__":
    main()
