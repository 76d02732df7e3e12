import { useNavigate } from '@tanstack/react-router'
import {
  Download,
  Ellipsis,
  FileUp,
  Folder,
  Grid3x3,
  ListTree,
  MessageCircle,
  Presentation,
  Ruler,
} from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Menu, MenuAction, MenuSeparator } from '../../../components/menu.tsx'
import { useMediaQuery } from '../../../state/media-query.ts'
import { present } from '../actions/present.ts'
import { useCanvas } from '../canvas-context.ts'
import { EXPORTS, exportCanvas, importCanvas } from '../export/export-actions.ts'

/** Leaves no room for the project's tabs. */
const NARROW = '(width < 1160px)'

interface MoreMenuProps {
  project: { id: string; folderId: string | null }
}

export function MoreMenu({ project }: MoreMenuProps) {
  const canvas = useCanvas()
  const { ui } = canvas
  const canEdit = canvas.editable.use()
  const isNarrow = useMediaQuery(NARROW)
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
      {isNarrow && <ProjectActions project={project} />}
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

function ProjectActions({ project: { id, folderId } }: MoreMenuProps) {
  const navigate = useNavigate()
  return (
    <>
      {folderId && (
        <MenuAction
          icon={Folder}
          label="Files"
          onSelect={() => void navigate({ to: '/files/$id', params: { id: folderId } })}
        />
      )}
      <MenuAction
        icon={MessageCircle}
        label="Chat"
        onSelect={() => void navigate({ to: '/chat', search: { in: id, project: id } })}
      />
      <MenuAction
        icon={ListTree}
        label="Runs"
        onSelect={() => void navigate({ to: '/runs', search: { project: id } })}
      />
      <MenuSeparator />
    </>
  )
}
