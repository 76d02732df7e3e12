import { LOCALE } from './text.ts'

/** `1 file`, `2 files`, `1,200 files`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count.toLocaleString(LOCALE)} ${count === 1 ? noun : plural}`
