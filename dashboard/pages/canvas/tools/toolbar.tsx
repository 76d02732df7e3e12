import { Paperclip, Redo2, Shapes, Undo2 } from 'lucide-react'
import { useRef } from 'react'
import { AgentFace } from '../../../components/faces.tsx'
import { FileInput } from '../../../components/forms/file-input.tsx'
import { KEY_HINT, Keys } from '../../../components/kbd.tsx'
import { Menu, MenuItem } from '../../../components/menu.tsx'
import { askAboutCanvas, canAsk } from '../actions/ask.ts'
import { dropFiles } from '../actions/drop-files.ts'
import { redo, undo } from '../actions/editing.ts'
import { isInMenuOnPhones, SHAPE_TOOLS, selectTool, TOOLS } from '../actions/tools.ts'
import { useCanvas } from '../canvas-context.ts'
import type { Tool } from '../ui-state.ts'
import { ToolButton } from './tool-button.tsx'

export function Toolbar() {
  const canvas = useCanvas()
  const tool = canvas.ui.tool.use()
  const undoState = canvas.store.undoState.use()
  const fileInput = useRef<HTMLInputElement>(null)
  return (
    <div
      role="toolbar"
      aria-label="Tools"
      data-tour="tools"
      data-beside
      className="canvas-tools flex max-w-full items-center gap-2 overflow-x-auto rounded-composer bg-float p-4 shadow-float"
    >
      {TOOLS.map(({ tool: each, label, keys, icon: Icon }) => (
        <ToolButton
          key={each}
          aria-label={label}
          aria-pressed={tool === each}
          title={`${label} (${keys.toUpperCase()})`}
          onClick={() => selectTool(canvas, each)}
          // Touch drags pan without the tool.
          className={
            each === 'hand' ? 'pointer-coarse:hidden' : isInMenuOnPhones(each) ? '@max-form:hidden' : ''
          }
        >
          <Icon aria-hidden className="icon" />
        </ToolButton>
      ))}
      <ShapeTools />
      {!canvas.isGuest && (
        <>
          <ToolButton aria-label="Add files" title="Add files" onClick={() => fileInput.current?.click()}>
            <Paperclip aria-hidden className="icon" />
          </ToolButton>
          <FileInput
            ref={fileInput}
            multiple
            label="Files to add"
            onFiles={(files) => dropFiles(canvas, files, canvas.view.center())}
          />
        </>
      )}
      <Divider />
      <ToolButton aria-label="Undo" title="Undo" disabled={!undoState.undo} onClick={() => undo(canvas)}>
        <Undo2 aria-hidden className="icon" />
      </ToolButton>
      <ToolButton
        aria-label="Redo"
        title="Redo"
        disabled={!undoState.redo}
        onClick={() => redo(canvas)}
        className="@max-form:hidden pointer-coarse:@max-dialog:hidden"
      >
        <Redo2 aria-hidden className="icon" />
      </ToolButton>
      {canAsk(canvas) && (
        <>
          <Divider />
          <button
            type="button"
            title="Ask about the canvas (Q)"
            onClick={() => askAboutCanvas(canvas)}
            className="flex h-32 shrink-0 items-center gap-8 rounded-control px-8 font-medium text-13 transition-colors hover:bg-hover @max-form:hidden pointer-coarse:h-row"
          >
            <AgentFace agent={ASSISTANT} size={20} />
            <span className="@max-sheet:sr-only">Ask about the canvas</span>
            <span aria-hidden className={`@max-sheet:hidden ${KEY_HINT}`}>
              <Keys keys="q" />
            </span>
          </button>
        </>
      )}
    </div>
  )
}

const ASSISTANT = { id: 'default', name: '' }

const Divider = () => (
  <span
    aria-hidden
    className="mx-4 h-24 w-px shrink-0 bg-neutral-6 @max-form:hidden pointer-coarse:@max-dialog:hidden"
  />
)

/** Tools that don't fit a phone's toolbar. */
const narrowOnly = (tool: Tool) => (isInMenuOnPhones(tool) ? 'hidden @max-form:flex' : 'hidden')

/** In a menu so the toolbar fits on a phone. */
function ShapeTools() {
  const canvas = useCanvas()
  const tool = canvas.ui.tool.use()
  const active = SHAPE_TOOLS.find((each) => each.tool === tool)
  const Icon = active?.icon ?? Shapes
  return (
    <Menu
      side="top"
      trigger={
        <ToolButton
          aria-label="Draw and shapes"
          title="Draw and shapes"
          data-active={active ? true : undefined}
        >
          <Icon aria-hidden className="icon" />
        </ToolButton>
      }
    >
      {[...SHAPE_TOOLS, ...TOOLS].map(({ tool: each, label, keys, icon: OptionIcon }) => (
        <MenuItem
          key={each}
          onSelect={() => selectTool(canvas, each)}
          className={SHAPE_TOOLS.some((shape) => shape.tool === each) ? '' : narrowOnly(each)}
        >
          <OptionIcon aria-hidden className="icon text-neutral-11" />
          <span className="flex-1">{label}</span>
          <span className={KEY_HINT}>
            <Keys keys={keys} />
          </span>
        </MenuItem>
      ))}
    </Menu>
  )
}
