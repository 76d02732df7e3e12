import { Fragment } from 'react'
import { KEY_HINT, Keys } from '../../../components/kbd.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../components/menu.tsx'
import { useCanvas } from '../canvas-context.ts'
import { focusBlock } from '../flow/focus.ts'
import { choicesFor } from './choices.ts'

/** What can be done with what is chosen, where the pointer is. */
export function CanvasMenu() {
  const canvas = useCanvas()
  const at = canvas.desk.menu.use()
  if (!at) return null
  const parts = choicesFor(canvas, at)
  const close = () => {
    canvas.desk.menu.set(null)
    const [id] = canvas.board.selection.get().blocks
    if (canvas.desk.editing.get()) return
    if (id) focusBlock(id)
    else canvas.view.element()?.focus({ preventScroll: true })
  }
  return (
    // Made anew for each place, so that it opens there.
    <div key={`${at.x} ${at.y}`} data-beside className="fixed z-40" style={{ left: at.x, top: at.y }}>
      <Menu
        defaultOpen
        onClose={close}
        trigger={
          <button type="button" tabIndex={-1} aria-label="Menu of the canvas" className="block size-px" />
        }
      >
        {parts.map((part, index) => (
          <Fragment key={part[0]!.label}>
            {index > 0 && <MenuSeparator />}
            {part.map(({ label, icon: Icon, keys, run }) => (
              // After the menu has given focus back, so that what it begins keeps it.
              <MenuItem key={label} onSelect={() => setTimeout(run)}>
                <Icon aria-hidden className="icon text-neutral-11" />
                <span className="flex-1 truncate">{label}</span>
                {keys && (
                  <span className={KEY_HINT}>
                    <Keys keys={keys} />
                  </span>
                )}
              </MenuItem>
            ))}
          </Fragment>
        ))}
      </Menu>
    </div>
  )
}
