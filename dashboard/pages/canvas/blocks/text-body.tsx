import { t } from '../../../../contract/text.ts'
import '../../../components/markdown/markdown.css'
import { Check } from 'lucide-react'
import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  memo,
  type ReactNode,
  use,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { PlainCode } from '../../../components/markdown/code-block.tsx'
import { PlainDiagram } from '../../../components/markdown/diagram.tsx'
import { parseMarkdown } from '../../../components/markdown/parse.ts'
import { createRenderer, OutLink } from '../../../components/markdown/render.tsx'
import { toggleTask } from '../../../components/markdown/tasks.ts'
import { useCanvas } from '../canvas-context.ts'
import { focusBlock } from '../flow/focus.ts'
import type { BodyProps } from './body-props.ts'
import { TextEditor } from './text-editor.tsx'

/** The editor shows the rest. */
const RENDERED_MAX = 12_000

/** Texts and notes differ only in color. */
export function TextBody({ block, editing, canEdit }: BodyProps) {
  const { store } = useCanvas()
  const { id } = block
  const [tick] = useState(() => (line: number) => {
    const content = store.items.blocks.get(id)?.content
    if (content) store.change({ update: { blocks: [{ id, content: toggleTask(content, line) }] } })
  })
  const hint = block.type === 'note' ? t`Write a note` : t`Write something`
  if (editing === 'content') {
    return (
      <TextEditor
        block={block}
        field="content"
        label={block.type === 'note' ? t`Note content` : t`Text content`}
        multiline
        placeholder={t`${hint}. Markdown is supported.`}
        className="p-12 text-14"
      />
    )
  }
  return (
    <AutoGrow block={block}>
      {block.title && <p className="mb-4 font-strong">{block.title}</p>}
      {block.content ? (
        <TickContext value={canEdit && !block.locked ? tick : null}>
          <TickableMarkdown text={block.content.slice(0, RENDERED_MAX)} />
        </TickContext>
      ) : (
        !block.title && <p className="text-neutral-11">Empty</p>
      )}
    </AutoGrow>
  )
}

/** Grows to fit an edited text, in the same undo step. */
function AutoGrow({ block, children }: { block: BodyProps['block']; children: ReactNode }) {
  const { store, ui } = useCanvas()
  const content = useRef<HTMLDivElement>(null)
  const { id, height } = block
  useLayoutEffect(() => {
    if (ui.resizing.get() !== id) return
    ui.resizing.set(null)
    const { scrollHeight = 0, clientHeight = 0 } = content.current ?? {}
    if (scrollHeight <= clientHeight) return
    const newHeight = Math.ceil(height + scrollHeight - clientHeight)
    store.change({ update: { blocks: [{ id, height: newHeight }] } }, `write content ${id}`)
  }, [id, height, store, ui])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the tasks inside take the keys.
    <div
      ref={content}
      onKeyDown={(event) => onTaskKeyDown(event, id)}
      className="size-full overflow-hidden p-12"
    >
      {children}
    </div>
  )
}

/** Null for users who can't edit. */
const TickContext = createContext<((line: number) => void) | null>(null)

const render = createRenderer({
  Code: PlainCode,
  Diagram: PlainDiagram,
  Link: CanvasLink,
  Task: TaskBox,
})

/** Not a tab stop: Tab moves between blocks. */
function CanvasLink(props: ComponentProps<typeof OutLink>) {
  return <OutLink tabIndex={-1} {...props} />
}

const TickableMarkdown = memo(function TickableMarkdown({ text }: { text: string }) {
  return <div className="markdown">{render(parseMarkdown(text))}</div>
})

function TaskBox({ done, line, text }: { done: boolean; line: number; text: string }) {
  const tick = use(TickContext)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a native checkbox looks different in every browser.
    <button
      type="button"
      role="checkbox"
      aria-checked={done}
      aria-label={text}
      data-task
      // Space moves focus from the block to its first task.
      tabIndex={-1}
      disabled={!tick}
      onClick={() => tick?.(line)}
      // A double-click would edit the block.
      onDoubleClick={(event) => event.stopPropagation()}
      className={`nodrag relative -ml-24 mr-8 inline-flex size-16 translate-y-px items-center justify-center rounded-[4px] border align-text-top after:absolute after:-inset-8 ${done ? 'border-neutral-11 bg-neutral-11 text-neutral-1' : 'border-neutral-8 bg-card enabled:hover:border-selection'}`}
    >
      {done && <Check aria-hidden strokeWidth={3} className="size-12" />}
    </button>
  )
}

function onTaskKeyDown(event: KeyboardEvent<HTMLElement>, blockId: string) {
  const task = (event.target as Element).closest('[data-task]')
  if (!task) return
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  if (event.key === 'Escape') focusBlock(blockId)
  else if (step) {
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-task]')]
    all[all.indexOf(task as HTMLElement) + step]?.focus({ preventScroll: true })
  } else return
  event.preventDefault()
  event.stopPropagation()
}
