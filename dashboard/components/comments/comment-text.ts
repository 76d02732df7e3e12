import { MENTION } from '../../../contract/comments/comment-options.ts'
import { t } from '../../../contract/text.ts'

export interface Person {
  id: string
  name: string
}

export const toMarkdown = (body: string, people: Person[]): string =>
  body.replace(MENTION, (_, id: string) => `**@${escapeMarkdown(nameOf(id, people))}**`)

const escapeMarkdown = (name: string) => name.replace(/[\\`*_~[\]()#>!+.-]/g, '\\$&')

/** With mentions as `@Name`. */
export const toEditableText = (body: string, people: Person[]): string =>
  body.replace(MENTION, (_, id: string) => `@${nameOf(id, people)}`)

/** Turns chosen names into mentions, longer names first: Ann is part of Anna. */
export const toCommentBody = (text: string, people: Person[]): string =>
  people
    .toSorted((a, b) => b.name.length - a.name.length)
    .reduce((body, { id, name }) => body.replaceAll(`@${name}`, `@[${id}]`), text)

const nameOf = (id: string, people: Person[]) =>
  people.find((person) => person.id === id.toLowerCase())?.name ?? t`former member`

/** Finds the partial name after `@` before the caret. Null if the caret is elsewhere. */
export function mentionAt(text: string, caret: number): { from: number; search: string } | null {
  const found = /(?:^|[\s(])@([\p{L}\p{N}'’.-]{0,40}(?: [\p{L}\p{N}'’.-]{0,40})?)$/u.exec(
    text.slice(0, caret),
  )
  return found && { from: caret - found[1]!.length - 1, search: found[1]! }
}
