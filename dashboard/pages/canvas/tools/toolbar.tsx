import { Paperclip, Redo2, Undo2 } from 'lucide-react'
import { useRef } from 'react'
import { dropFiles } from '../actions/drop-files.ts'
import { redo, undo } from '../actions/editing.ts'
import { useCanvas } from '../canvas-context.ts'
import { ShapeTools } from './shape-tools.tsx'
import { ToolButton } from './tool-button.tsx'
import { isInMenuOnPhones, selectTool, TOOLS } from './tools.ts'

/** The toolbar at the bottom, within reach of the thumb on phones. */
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
      className="canvas-tools flex max-w-full items-center gap-px overflow-x-auto rounded-panel bg-float p-4 shadow-float"
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
          <input
            ref={fileInput}
            type="file"
            multiple
            hidden
            aria-label="Files to add"
            onChange={({ target }) => {
              if (target.files) dropFiles(canvas, target.files, canvas.view.center())
              target.value = ''
            }}
          />
        </>
      )}
      <span
        aria-hidden
        className="mx-4 h-24 w-px shrink-0 bg-neutral-6 @max-form:hidden pointer-coarse:@max-dialog:hidden"
      />
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
    </div>
  )
}
