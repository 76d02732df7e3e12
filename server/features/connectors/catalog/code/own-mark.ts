/**
 * An HTML comment, which Markdown does not show, at the end of everything that an agent posts with the account of a
 * person. Events with it are echoes; those of the person without it are not.
 */
const MARK = '<!-- atrium -->'

export const marked = (text: string) => `${text.trimEnd()}\n\n${MARK}`
export const isMarked = (text: string | null) => text?.includes(MARK) ?? false
