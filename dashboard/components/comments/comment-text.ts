import { MENTION } from '../../../contract/comments/comment-options.ts'
import { t } from '../../../contract/text.ts'

export interface Person {
  id: string
  name: string
}

/** The body as Markdown, with the names of mentioned members in bold. */
export const markdownOf = (body: string, people: Person[]): string =>
  body.replace(MENTION, (_, id: string) => `**@${escapeMarkdown(nameOf(id, people))}**`)

const escapeMarkdown = (name: string) => name.replace(/[\\`*_~[\]()#>!+.-]/g, '\\$&')

/** The body as a person edits it: `@Name`. */
export const editableOf = (body: string, people: Person[]): string =>
  body.replace(MENTION, (_, id: string) => `@${nameOf(id, people)}`)

/** The body of an edited text: names of chosen people become mentions. Longer names first: Ann is a part of Anna. */
export const bodyOf = (text: string, people: Person[]): string =>
  people
    .toSorted((a, b) => b.name.length - a.name.length)
    .reduce((body, { id, name }) => body.replaceAll(`@${name}`, `@[${id}]`), text)

const nameOf = (id: string, people: Person[]) =>
  people.find((person) => person.id === id.toLowerCase())?.name ?? t`former member`

/** The beginning of a name after `@` before the caret, with its position; null if the caret is elsewhere. */
export function mentionAt(text: string, caret: number): { from: number; search: string } | null {
  const found = /(?:^|[\s(])@([\p{L}\p{N}'’.-]{0,40}(?: [\p{L}\p{N}'’.-]{0,40})?)$/u.exec(
    text.slice(0, caret),
  )
  return found && { from: caret - found[1]!.length - 1, search: found[1]! }
}
