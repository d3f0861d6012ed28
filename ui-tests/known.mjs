// What the seed made, kept between the files of tests of one run.

import fs from 'node:fs';
import { seed } from './seed.mjs';

const FILE = process.env.VEXIL_KNOWN;

export async function known() {
  if (FILE && fs.existsSync(FILE)) return JSON.parse(fs.readFileSync(FILE, 'utf8'));
  const made = await seed();
  if (FILE) fs.writeFileSync(FILE, JSON.stringify(made));
  return made;
}
