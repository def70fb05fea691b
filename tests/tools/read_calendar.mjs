// Reads a calendar from standard input as Thunderbird does, and writes what it understood as JSON.
import { readFileSync } from "node:fs";
import ICAL from "ical.js";

const calendar = new ICAL.Component(ICAL.parse(readFileSync(0, "utf8")));
const entries = calendar.getAllSubcomponents().map((component) => ({
  kind: component.name,
  uid: component.getFirstPropertyValue("uid"),
  summary: component.getFirstPropertyValue("summary"),
  description: component.getFirstPropertyValue("description"),
  begins: (component.getFirstPropertyValue("dtstart") ?? component.getFirstPropertyValue("due")).toJSDate().getTime(),
  categories: component.getFirstProperty("categories")?.getValues() ?? [],
}));
process.stdout.write(JSON.stringify({ name: calendar.getFirstPropertyValue("x-wr-calname"), entries }));
