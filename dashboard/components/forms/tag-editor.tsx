import { X } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { textWithNames } from '../../../contract/text-with-names.ts'
import { CONTROL } from './field.tsx'

const TAG_LENGTH_MAX = 80
const TAGS_MAX = 30

interface TagEditorProps {
  label: string
  tags: string[]
  /** May return a promise: the edited tags show until it settles. */
  onChange: (tags: string[]) => unknown
  autoFocus?: boolean
}

export function TagEditor({ label, tags: loaded, onChange, autoFocus }: TagEditorProps) {
  const id = useId()
  const { list: tags, edit } = useSavedList(loaded, onChange)
  const [draft, setDraft] = useState('')
  const add = () => {
    const tag = draft.trim()
    setDraft('')
    if (tag && !tags.includes(tag)) edit([...tags, tag])
  }
  return (
    <div className="flex flex-col gap-8">
      {tags.length > 0 && (
        <ul aria-label="Tags" className="flex flex-wrap gap-4">
          {tags.map((tag) => (
            <li
              key={tag}
              className="inline-flex h-24 max-w-full items-center gap-4 rounded-control border border-neutral-6 bg-inset pl-8 text-12"
            >
              <span className="truncate">{tag}</span>
              <button
                type="button"
                aria-label={textWithNames`Remove tag ${tag}`}
                onClick={() => edit(tags.filter((other) => other !== tag))}
                className="flex size-24 items-center justify-center rounded-control text-neutral-11 hover:bg-hover hover:text-neutral-12"
              >
                <X aria-hidden className="size-12" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {tags.length < TAGS_MAX && (
        <input
          id={id}
          aria-label={label}
          placeholder="Add a tag"
          autoComplete="off"
          maxLength={TAG_LENGTH_MAX}
          data-autofocus={autoFocus || undefined}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={add}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return
            if (event.key === 'Enter' || event.key === ',') {
              event.preventDefault()
              add()
            } else if (event.key === 'Backspace' && draft === '' && tags.length > 0) edit(tags.slice(0, -1))
          }}
          className={`h-32 ${CONTROL}`}
        />
      )}
    </div>
  )
}

type Save = (list: string[]) => unknown

/**
 * Shows the edited list until the last save ends: a response sent before a save must not undo an edit. Saves run one
 * after another; edits during a save become one further save.
 */
function useSavedList(loaded: string[], save: Save) {
  const [edited, setEdited] = useState<string[]>()
  const queue = useRef<{ save: Save; saving: boolean; next?: string[] }>({ save, saving: false })
  useEffect(() => {
    queue.current.save = save
  }, [save])
  const saveAll = async () => {
    const { current } = queue
    current.saving = true
    try {
      while (current.next) {
        const next = current.next
        current.next = undefined
        await current.save(next)
      }
    } finally {
      current.saving = false
      setEdited(undefined)
    }
  }
  const edit = (list: string[]) => {
    setEdited(list)
    queue.current.next = list
    if (!queue.current.saving) void saveAll()
  }
  return { list: edited ?? loaded, edit }
}
