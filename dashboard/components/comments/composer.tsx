import { useQuery } from '@tanstack/react-query'
import {
  createContext,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  use,
  useId,
  useRef,
  useState,
} from 'react'
import { COMMENT_LIMITS } from '../../../contract/comments/comment-options.ts'
import { t } from '../../../contract/text.ts'
import { type CommentApi, peopleQuery, type Subject } from '../../api/comments.ts'
import { failureMessage } from '../../api/explain.ts'
import { Button } from '../button.tsx'
import { FormFailure } from '../failure.tsx'
import { CONTROL, submitOnModEnter } from '../forms/field.tsx'
import { Name } from '../name.tsx'
import { mentionAt, type Person, toCommentBody, toEditableText } from './comment-text.ts'

interface ComposerProps {
  label: string
  action: string
  editedComment?: { body: string; mentions: Person[] }
  takesFocus?: boolean
  onSubmit: (body: string) => Promise<unknown>
  onCancel?: () => void
}

/** Completes names after `@`. Ctrl+Enter submits. */
export function Composer({ label, action, editedComment, takesFocus, onSubmit, onCancel }: ComposerProps) {
  const { api, subject, isGuest } = useCommenting()
  const [text, setText] = useState(() =>
    editedComment ? toEditableText(editedComment.body, editedComment.mentions) : '',
  )
  const [chosenPeople, setChosenPeople] = useState<Person[]>(editedComment?.mentions ?? [])
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const mentions = useMentions({
    ...{ api, subject, area, text, isEnabled: !isGuest, onText: setText },
    onChosen: (person) => setChosenPeople((people) => [...people, person]),
  })
  const body = toCommentBody(text.trim(), chosenPeople)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (body === '' || isBusy) return
    setIsBusy(true)
    setError(null)
    try {
      await onSubmit(body)
      setText('')
      setChosenPeople([])
    } catch (failure) {
      setError(failure)
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <form
      className="flex flex-col gap-8"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !onCancel) return
        event.stopPropagation()
        onCancel()
      }}
    >
      <FormFailure>{failureMessage(error)}</FormFailure>
      <div className="relative">
        <textarea
          ref={area}
          aria-label={label}
          placeholder={isGuest ? label : t`${label}. Mention with @`}
          rows={text.includes('\n') || editedComment ? 4 : 2}
          // biome-ignore lint/a11y/noAutofocus: the person just opened it.
          autoFocus={takesFocus}
          maxLength={COMMENT_LIMITS.body}
          aria-autocomplete="list"
          aria-controls={mentions.people.length > 0 ? listId : undefined}
          aria-activedescendant={mentions.people.length > 0 ? `${listId}-${mentions.current}` : undefined}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            mentions.setCaret(event.target.selectionStart)
          }}
          onSelect={(event) => mentions.setCaret(event.currentTarget.selectionStart)}
          onKeyDown={(event) => {
            if (mentions.onKey(event)) return
            submitOnModEnter(event)
          }}
          className={`block resize-y py-8 ${CONTROL}`}
        />
        {mentions.people.length > 0 && (
          <div
            id={listId}
            role="listbox"
            tabIndex={-1}
            aria-label="Members"
            className="absolute inset-x-0 top-full z-30 mt-4 overflow-y-auto rounded-panel bg-float p-4 shadow-float"
          >
            {mentions.people.map((person, index) => (
              <div
                key={person.id}
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === mentions.current}
                // On pointer down, so the text area keeps the focus.
                onPointerDown={(event) => {
                  event.preventDefault()
                  mentions.choose(person)
                }}
                className="cursor-pointer truncate rounded-control px-8 py-4 text-13 aria-selected:bg-selected"
              >
                <Name>{person.name}</Name>
              </div>
            ))}
          </div>
        )}
      </div>
      <div className="flex items-center justify-end gap-8">
        {onCancel && (
          <Button look="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button look="primary" type="submit" busy={isBusy} disabled={body === ''}>
          {action}
        </Button>
      </div>
    </form>
  )
}

interface MentionsOptions {
  api: CommentApi
  subject: Subject
  /** False for guests, who can't mention. */
  isEnabled: boolean
  area: RefObject<HTMLTextAreaElement | null>
  text: string
  onText: (text: string) => void
  onChosen: (person: Person) => void
}

function useMentions({ api, subject, isEnabled, area, text, onText, onChosen }: MentionsOptions) {
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
    // The caret can be set only after the new text renders.
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

interface CommentContext {
  api: CommentApi
  subject: Subject
  isGuest: boolean
  /** Empty without one. */
  guestName: string
}

export const CommentingContext = createContext<CommentContext | null>(null)

export function useCommenting(): CommentContext {
  const commenting = use(CommentingContext)
  if (!commenting) throw new Error('useCommenting needs a CommentingContext')
  return commenting
}
