import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { splitAtKeys } from '../../../../contract/agents/citation-key.ts'
import { SPEAKERS } from '../../../../contract/knowledge/passage-options.ts'
import { highlight } from '../../citations/highlight-passage.ts'
import type { CitedMessage } from '../../citations/open-citation.ts'
import { useOpenConversation } from '../conversation-context.ts'
import type { ConversationState } from '../store/conversation-state.ts'
import type { ShownEntry } from '../view/answers.ts'

/** Above what is shown, in the scroller's height. */
const ABOVE = 0.25

interface CitedEntryOptions {
  cited: CitedMessage | undefined
  state: ConversationState
  entries: readonly ShownEntry[]
  scroller: RefObject<HTMLElement | null>
  holdAt: (scroll: () => void) => void
}

/** Loads and shows the message in the address, once for each visit, and marks the quote. */
export function useCitedEntry({ cited, state, entries, scroller, holdAt }: CitedEntryOptions) {
  const { open } = useOpenConversation()
  const { older, messages } = state
  const firstSeq = messages.sent[0]?.seq ?? 0
  const seq = cited?.seq
  const isLoaded = seq !== undefined && (older.cursor === null || firstSeq <= seq)
  const shouldLoad = !isLoaded && !older.isLoading && older.error === null
  useEffect(() => {
    if (shouldLoad && seq !== undefined) void open.loadOlder(seq)
  }, [shouldLoad, seq, open])

  const shownVisit = useRef<string>(undefined)
  const removeMark = useRef(() => {})
  const show = useEffectEvent((visit: string) => {
    const element = scroller.current?.querySelector<HTMLElement>('[data-cited]')
    if (!element || visit === shownVisit.current) return
    shownVisit.current = visit
    const quotes = quotesOf(cited?.quote)
    holdAt(() => {
      const { first, remove } = highlight('message', scroller.current!, quotes, element)
      removeMark.current = remove
      scrollTo(scroller.current!, first ?? element)
    })
    element.focus({ preventScroll: true })
  })
  const visit = isLoaded ? cited?.visit : undefined
  useLayoutEffect(() => {
    if (visit !== undefined) show(visit)
  }, [visit])
  useEffect(() => () => removeMark.current(), [])
  return isLoaded ? findEntry(entries, seq) : undefined
}

/** Says who spoke only in the passage, and shows keys as numbers. */
const quotesOf = (quote = ''): string[] =>
  quote
    .split(SPEAKER)
    .flatMap(splitAtKeys)
    .filter((piece) => typeof piece === 'string')

const SPEAKER = new RegExp(`(?:^|\n)(?:${Object.values(SPEAKERS).join('|')})`)

function scrollTo(scroller: HTMLElement, place: Element | Range) {
  const { top, height } = scroller.getBoundingClientRect()
  scroller.scrollTop += place.getBoundingClientRect().top - top - height * ABOVE
}

/** An answer joins several messages. */
const findEntry = (entries: readonly ShownEntry[], seq: number): ShownEntry | undefined => {
  const messages = entries.filter(({ kind }) => kind === 'person' || kind === 'answer')
  return messages.findLast((entry) => entry.seq <= seq) ?? messages[0]
}
