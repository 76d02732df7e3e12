import { Download, Ellipsis, FileUp, Grid3x3, Presentation, Ruler } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Menu, MenuAction, MenuSeparator } from '../../../components/menu.tsx'
import { present } from '../actions/present.ts'
import { useCanvas } from '../canvas-context.ts'
import { EXPORTS, exportCanvas, importCanvas } from '../export/export-actions.ts'

export function MoreMenu() {
  const canvas = useCanvas()
  const { ui } = canvas
  const canEdit = canvas.editable.use()
  const snapToBlocks = ui.snapToBlocks.use()
  const snapToGrid = ui.snapToGrid.use()
  return (
    <Menu
      trigger={
        <button type="button" aria-label="More" title="More" className={buttonClass('quiet', 'icon')}>
          <Ellipsis aria-hidden className="icon" />
        </button>
      }
    >
      <MenuAction icon={Presentation} label="Present" onSelect={() => present(canvas)} />
      <MenuSeparator />
      {EXPORTS.map(({ format, label }) => (
        <MenuAction
          key={format}
          icon={Download}
          label={label}
          onSelect={() => exportCanvas(canvas, format)}
        />
      ))}
      {canEdit && (
        <>
          <MenuAction icon={FileUp} label="Import JSON Canvas" onSelect={() => importCanvas(canvas)} />
          <MenuSeparator />
          <MenuAction
            icon={Ruler}
            label={snapToBlocks ? t`Turn off snapping to blocks` : t`Snap to blocks`}
            onSelect={ui.snapToBlocks.toggle}
          />
          <MenuAction
            icon={Grid3x3}
            label={snapToGrid ? t`Turn off snapping to the grid` : t`Snap to grid`}
            onSelect={ui.snapToGrid.toggle}
          />
        </>
      )}
    </Menu>
  )
}
