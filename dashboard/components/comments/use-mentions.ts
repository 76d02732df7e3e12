import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useState } from 'react'
import { type CommentApi, peopleQuery, type Subject } from '../../api/comments/comments.ts'
import { mentionAt, type Person } from './comment-text.ts'

interface MentionsOptions {
  api: CommentApi
  subject: Subject
  /** False for guests, who cannot mention. */
  isEnabled: boolean
  area: RefObject<HTMLTextAreaElement | null>
  text: string
  onText: (text: string) => void
  onChosen: (person: Person) => void
}

/** Completes names after `@` in a text area: the suggestions, and the keys that choose one. */
export function useMentions({ api, subject, isEnabled, area, text, onText, onChosen }: MentionsOptions) {
  const [caret, setCaret] = useState(0)
  const [closedAt, setClosedAt] = useState<number | null>(null)
  const [index, setIndex] = useState(0)
  const mention = isEnabled ? mentionAt(text, caret) : null
  const isOpen = mention !== null && mention.from !== closedAt
  const { data } = useQuery({ ...peopleQuery(api, subject, mention?.search ?? ''), enabled: isOpen })
  const people = isOpen ? (data?.items ?? []) : []
  const current = Math.min(index, Math.max(people.length - 1, 0))

  function choose(person: Person) {
    if (!mention) return
    const textBefore = `${text.slice(0, mention.from)}@${person.name} `
    onChosen(person)
    onText(textBefore + text.slice(caret).trimStart())
    setCaret(textBefore.length)
    setIndex(0)
    // The caret can be set only after the new text is rendered.
    setTimeout(() => {
      area.current?.focus()
      area.current?.setSelectionRange(textBefore.length, textBefore.length)
    })
  }

  /** True if the list handled the key. */
  function onKey(event: KeyboardEvent): boolean {
    if (people.length === 0) return false
    if (event.key === 'ArrowDown') setIndex((current + 1) % people.length)
    else if (event.key === 'ArrowUp') setIndex((current + people.length - 1) % people.length)
    else if ((event.key === 'Enter' && !event.metaKey && !event.ctrlKey) || event.key === 'Tab')
      choose(people[current]!)
    else if (event.key === 'Escape') setClosedAt(mention?.from ?? null)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }

  return { people, current, choose, onKey, setCaret }
}
