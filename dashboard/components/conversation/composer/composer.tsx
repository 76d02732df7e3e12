import { ArrowUp, Paperclip, Square } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { MESSAGE_CHARACTERS_MAX } from '../../../../contract/agents/session-options.ts'
import { LOCALE, t } from '../../../../contract/text.ts'
import type { NewMessage } from '../../../api/conversations.ts'
import { Button } from '../../button.tsx'
import { FileInput } from '../../forms/file-input.tsx'
import { KEY_HINT } from '../../kbd.tsx'
import { messageWith } from '../view/attachments.ts'
import { Microphone } from '../voice/microphone.tsx'
import { spacedAt } from '../voice/spaced-at.ts'
import { AttachmentList, type useAttachments } from './attachments.tsx'
import { ImagesNote, isImageName } from './images-note.tsx'
import { type ComposerAction, type Suggestion, SuggestionList, useSuggestions } from './suggestions.tsx'

interface ComposerProps {
  projectId: string | undefined
  agentId: string | undefined
  /** Null for the agent's. */
  model: string | null
  /** Undefined before the first message. */
  sessionId?: string
  /** Offered after `/`. */
  actions?: readonly ComposerAction[]
  text: string
  onText: (text: string) => void
  attachments: ReturnType<typeof useAttachments>
  onSend: (message: NewMessage, attachmentNames: readonly string[], interrupt: boolean) => void
  /** Messages are queued while a run is active. */
  isActive?: boolean
  /** Esc stops the run. */
  stopKey?: boolean
  onStop?: () => void
  isStopping?: boolean
  onEditLast?: () => void
  placeholder: string
  isBusy?: boolean
  autoFocus?: boolean
  areaRef?: RefObject<HTMLTextAreaElement | null>
  children?: ReactNode
}

const NO_ACTIONS: readonly ComposerAction[] = []

/** Enter sends, Shift+Enter adds a line, `@` mentions something, `/` uses a skill or an action. */
export function Composer(props: ComposerProps) {
  const { projectId, text, onText, attachments, isActive = false, isBusy = false, children } = props
  const ownArea = useRef<HTMLTextAreaElement>(null)
  const area = props.areaRef ?? ownArea
  const listId = useId()
  const [caret, setCaret] = useState(text.length)
  const { agentId, actions = NO_ACTIONS } = props
  const mentions = useSuggestions({ projectId, agentId, actions, beforeCaret: text.slice(0, caret) })
  const { autoFocus } = props
  // Doesn't take focus from the guided tour, or from a menu opened while messages loaded.
  useEffect(() => {
    if (autoFocus && !document.activeElement?.closest('[role=menu], dialog, [data-keeps-focus]'))
      area.current?.focus()
  }, [autoFocus, area])
  const caretAfterMention = useRef<number>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text determines the height and the caret.
  useLayoutEffect(() => {
    fitHeight(area.current)
    // Moves the caret before the next key: a frame later, it would split the typed text.
    if (caretAfterMention.current !== undefined) {
      area.current?.setSelectionRange(caretAfterMention.current, caretAfterMention.current)
      caretAfterMention.current = undefined
    }
  }, [area, text])

  const tooLong = text.length > MESSAGE_CHARACTERS_MAX
  const canSend = text.trim() !== '' && !tooLong && !attachments.isUploading && !isBusy
  const send = (interrupt: boolean) => {
    if (!canSend) return
    const { uploadedAttachments } = attachments
    props.onSend(
      messageWith(text, uploadedAttachments),
      uploadedAttachments.map(({ name }) => name),
      interrupt,
    )
  }
  const choose = (suggestion: Suggestion) => {
    const { kind, name } = suggestion
    if (kind === 'action') {
      onText('')
      return suggestion.run()
    }
    if (kind === 'file' || kind === 'block') attachments.add({ kind, id: suggestion.id, name })
    const isSkill = kind === 'skill'
    const start = isSkill ? 0 : caret - mentions.search.length
    const label = isSkill ? t`Use the skill ${name}:` : name.replaceAll(/\s+/g, ' ')
    onText(`${text.slice(0, start)}${label} ${text.slice(caret)}`)
    const after = start + label.length + 1
    setCaret(after)
    caretAfterMention.current = after
  }
  const insert = (spoken: string) => {
    const inserted = spacedAt(text, caret, spoken)
    onText(`${text.slice(0, caret)}${inserted}${text.slice(caret)}`)
    setCaret(caret + inserted.length)
    caretAfterMention.current = caret + inserted.length
    area.current?.focus()
  }
  const onKeyDown = useComposerKeys({ ...props, isActive, mentions, onChoose: choose, send })

  return (
    <div
      data-tour="message"
      className="relative rounded-composer bg-card shadow-raised has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:outline-selection"
    >
      {mentions.isOpen && (
        <SuggestionList
          id={listId}
          search={mentions.search}
          isCommand={mentions.isCommand}
          isSearching={mentions.isSearching}
          suggestions={mentions.suggestions}
          active={mentions.active}
          onChoose={choose}
        />
      )}
      <AttachmentList drafts={attachments.drafts} onRemove={attachments.remove} />
      {attachments.drafts.some(({ kind, name }) => kind === 'file' && isImageName(name)) && (
        <ImagesNote agentId={agentId} model={props.model} />
      )}
      <textarea
        ref={area}
        aria-label="Message"
        aria-autocomplete="list"
        aria-controls={mentions.isOpen ? listId : undefined}
        aria-activedescendant={mentions.suggestions.length > 0 ? `${listId}-${mentions.active}` : undefined}
        aria-invalid={tooLong || undefined}
        placeholder={props.placeholder}
        rows={1}
        value={text}
        onChange={(event) => {
          onText(event.target.value)
          setCaret(event.target.selectionStart)
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          const files = [...event.clipboardData.files]
          if (files.length === 0) return
          event.preventDefault()
          attachments.addFiles(files)
        }}
        className="block max-h-nested-max w-full resize-none bg-transparent px-16 pt-12 pb-4 text-16 outline-none sm:text-15"
      />
      <div className="flex flex-wrap items-center gap-x-2 gap-y-4 p-8 pt-4">
        <AttachButton onFiles={attachments.addFiles} isDisabled={projectId === undefined} />
        <Microphone projectId={projectId} sessionId={props.sessionId} onText={insert} />
        {children}
        <span className="ml-auto" />
        {tooLong && (
          <span className="text-12 text-bad-text">
            {text.length.toLocaleString(LOCALE)} of {MESSAGE_CHARACTERS_MAX.toLocaleString(LOCALE)} characters
          </span>
        )}
        {isActive && (
          <>
            {props.stopKey && <span className={`text-12 text-neutral-11 ${KEY_HINT}`}>Esc to stop</span>}
            <Button
              size="small"
              busy={props.isStopping}
              onClick={props.onStop}
              title={props.stopKey ? t`Stop the run (Esc)` : t`Stop the run`}
            >
              {!props.isStopping && <Square aria-hidden className="size-12 fill-current" />}
              Stop
            </Button>
            {text.trim() !== '' && (
              <Button
                size="small"
                disabled={!canSend}
                onClick={() => send(true)}
                title="Stop the current step and send now (Ctrl+Enter)"
              >
                Interrupt
              </Button>
            )}
          </>
        )}
        <Button
          look={canSend || isBusy ? 'primary' : 'quiet'}
          size="icon"
          className={canSend || isBusy ? '' : 'bg-neutral-4 disabled:opacity-100'}
          aria-label={isActive ? t`Queue message` : t`Send message`}
          title={isActive ? t`Queue for the next step (Enter)` : t`Send (Enter)`}
          busy={isBusy}
          disabled={!canSend && !isBusy}
          onClick={() => send(false)}
        >
          {!isBusy && <ArrowUp aria-hidden className="icon" />}
        </Button>
      </div>
    </div>
  )
}

/** Grows with the text up to the stylesheet's limit. */
function fitHeight(area: HTMLTextAreaElement | null) {
  if (!area) return
  area.style.height = 'auto'
  area.style.height = `${area.scrollHeight}px`
}

function AttachButton({ onFiles, isDisabled }: { onFiles: (files: File[]) => void; isDisabled: boolean }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <FileInput ref={input} multiple label="Files to attach" onFiles={(files) => onFiles([...files])} />
      <Button
        look="quiet"
        size="icon"
        aria-label="Attach files"
        title="Attach files, or drop them here"
        disabled={isDisabled}
        onClick={() => input.current?.click()}
      >
        <Paperclip aria-hidden className="icon" />
      </Button>
    </>
  )
}

interface ComposerKeys {
  text: string
  isActive: boolean
  mentions: ReturnType<typeof useSuggestions>
  onChoose: (suggestion: Suggestion) => void
  send: (interrupt: boolean) => void
  onEditLast?: () => void
}

function useComposerKeys({ text, isActive, mentions, onChoose, send, onEditLast }: ComposerKeys) {
  function onListKey(key: string): boolean {
    const { suggestions, active, setActive, dismiss, isOpen } = mentions
    if (!isOpen) return false
    const suggestion = suggestions[active]
    if (key === 'Escape') dismiss()
    else if (key === 'ArrowDown' && suggestion) setActive((active + 1) % suggestions.length)
    else if (key === 'ArrowUp' && suggestion)
      setActive((active - 1 + suggestions.length) % suggestions.length)
    else if ((key === 'Enter' || key === 'Tab') && suggestion) onChoose(suggestion)
    else return false
    return true
  }

  return (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { key, shiftKey, metaKey, ctrlKey } = event
    // Here Enter ends input method composition.
    if (event.nativeEvent.isComposing) return
    if (onListKey(key)) {
      event.preventDefault()
      event.stopPropagation()
      return
    }
    if (key === 'Enter' && !shiftKey) send(isActive && (metaKey || ctrlKey))
    else if (key === 'ArrowUp' && text === '' && onEditLast) onEditLast()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
}
