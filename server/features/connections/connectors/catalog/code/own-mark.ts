/**
 * An HTML comment, which Markdown does not show, at the end of everything that an agent posts with the account of a
 * person. An event with this comment is an echo; an event of the same account without it was caused by the person.
 */
const MARK = '<!-- atrium -->'

export const withMark = (text: string) => `${text.trimEnd()}\n\n${MARK}`
export const isMarked = (text: string | null) => text?.includes(MARK) ?? false
