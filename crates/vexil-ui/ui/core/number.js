// Numbers and times as people read them.

import { h } from './element.js';
import { timeText } from '../text.js';

const LANGUAGE = 'en';
const ZONE = 'vexil-zone';

const whole = new Intl.NumberFormat(LANGUAGE);
const oneDigit = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 1 });
const ago = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto', style: 'long' });

export const count = (number) => whole.format(number);
/** A number before its noun: `1 flag`, `2 flags`. */
export const plural = (number, [one, several]) => `${count(number)} ${number === 1 ? one : several}`;
export const percent = (number) => `${oneDigit.format(number)} %`;
/** What part of all it is, in percent; a dash of nothing. */
export const share = (part, all) => (all ? percent((part * 100) / all) : '–');
export const sum = (numbers) => numbers.reduce((total, one) => total + (one ?? 0), 0);

/** The zone that times are shown in: that of the person, or UTC. */
export const zone = () => (localStorage.getItem(ZONE) === 'UTC' ? 'UTC' : undefined);
export const setZone = (utc) => (utc ? localStorage.setItem(ZONE, 'UTC') : localStorage.removeItem(ZONE));

const format = (options) => (at) => new Intl.DateTimeFormat(LANGUAGE, { ...options, timeZone: zone() }).format(at);
const instant = format({ dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });
export const minuteOf = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const exact = format({ dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23' });

const UNITS = /** @type {[number, Intl.RelativeTimeFormatUnit][]} */ ([[86400, 'day'], [3600, 'hour'], [60, 'minute']]);
/** Beyond this many days the date says more than their number. */
const DAYS = 45;

/** When something was or will be: how long that is from now, with the instant behind it. */
export function when(text) {
  const at = new Date(text);
  const seconds = (at.getTime() - Date.now()) / 1000;
  const unit = UNITS.find(([size]) => Math.abs(seconds) >= size);
  const shown = !unit ? timeText.now : Math.abs(seconds) > DAYS * 86400 ? instant(at) : ago.format(Math.trunc(seconds / unit[0]), unit[1]);
  return h('time', { datetime: at.toISOString(), title: exact(at) }, shown);
}

/** An instant as such. */
export const at = (text) => h('time', { datetime: new Date(text).toISOString(), title: exact(new Date(text)) }, instant(new Date(text)));
