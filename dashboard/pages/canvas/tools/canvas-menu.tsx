import { Fragment } from 'react'
import { KEY_HINT, Keys } from '../../../components/kbd.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../components/menu.tsx'
import { useCanvas } from '../canvas-context.ts'
import { focusBlock } from '../flow/focus.ts'
import { menuEntries } from './menu-entries.ts'

/** With its distance from the pointer and the window's edge. */
const WIDTH = 248

export function CanvasMenu() {
  const canvas = useCanvas()
  const at = canvas.ui.menu.use()
  if (!at) return null
  const sections = menuEntries(canvas, at)
  const close = () => {
    canvas.ui.menu.set(null)
    const [id] = canvas.viewModel.selection.get().blocks
    if (canvas.ui.editing.get()) return
    if (id) focusBlock(id)
    else canvas.view.element()?.focus({ preventScroll: true })
  }
  return (
    // The key remounts the menu at each position.
    <div key={`${at.x} ${at.y}`} data-beside className="fixed z-40" style={{ left: at.x, top: at.y }}>
      <Menu
        defaultOpen
        // Moves up as far as it needs, which a menu below the pointer can't.
        side={at.x + WIDTH < window.innerWidth ? 'right' : 'bottom'}
        onClose={close}
        trigger={<button type="button" tabIndex={-1} aria-label="Canvas menu" className="block size-px" />}
      >
        {sections.map((section, index) => (
          <Fragment key={section[0]!.label}>
            {index > 0 && <MenuSeparator />}
            {section.map(({ label, icon: Icon, keys, run }) => (
              // Runs after the menu restores focus, so an editor it opens keeps it.
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
