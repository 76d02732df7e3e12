import { type FormEvent, useId, useRef, useState } from 'react'
import { COMMENT_LIMITS } from '../../../contract/comments/comment-options.ts'
import { failureMessage } from '../../api/explain.ts'
import { Button } from '../button.tsx'
import { FormFailure } from '../failure.tsx'
import { CONTROL } from '../forms/field.tsx'
import { submitOnModEnter } from '../forms/mod-enter.ts'
import { Name } from '../name.tsx'
import { bodyOf, editableOf, type Person } from './comment-text.ts'
import { useCommenting } from './commenting.ts'
import { useMentions } from './use-mentions.ts'

interface ComposerProps {
  label: string
  action: string
  /** The comment that the person edits; absent for a new one. */
  editedComment?: { body: string; mentions: Person[] }
  takesFocus?: boolean
  onSubmit: (body: string) => Promise<unknown>
  onCancel?: () => void
}

/** The text of a comment, with completion of names after `@`. Ctrl+Enter submits it. */
export function Composer({ label, action, editedComment, takesFocus, onSubmit, onCancel }: ComposerProps) {
  const { api, subject, isGuest } = useCommenting()
  const [text, setText] = useState(() =>
    editedComment ? editableOf(editedComment.body, editedComment.mentions) : '',
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
  const body = bodyOf(text.trim(), chosenPeople)

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
          placeholder={isGuest ? label : `${label}. Mention with @`}
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
                // On pointer down, so that the text area keeps the focus.
                onPointerDown={(event) => {
                  event.preventDefault()
                  mentions.choose(person)
                }}
                className="cursor-pointer truncate rounded-control px-8 py-4 text-13 aria-selected:bg-neutral-4"
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
