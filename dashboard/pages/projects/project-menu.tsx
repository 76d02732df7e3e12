import {
  Archive,
  ArrowRight,
  CircleCheck,
  CirclePlay,
  Copy,
  CopyPlus,
  Ellipsis,
  Link as LinkIcon,
  type LucideIcon,
  Pencil,
  Settings,
  Share2,
  Trash2,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Project, ProjectStatus } from '../../api/projects.ts'
import { Button } from '../../components/button.tsx'
import { copyWithToast } from '../../components/copy-with-toast.ts'
import { Menu, MenuAction, MenuSeparator } from '../../components/menu.tsx'
import { pageUrl } from './project-actions.ts'
import type { ProjectIntents } from './project-intents.ts'
import { STATUS_NAMES, STATUSES } from './project-labels.ts'

interface ProjectMenuProps {
  project: Project
  intents: ProjectIntents
}

/** Everything that can be done to one project. Until it is asked for it is a button: a long list has hundreds of them. */
export function ProjectMenu(props: ProjectMenuProps) {
  const [asked, setAsked] = useState(false)
  const button = (
    <Button
      look="quiet"
      size="small-icon"
      aria-haspopup="menu"
      aria-label={`Actions for ${props.project.name}`}
      onClick={asked ? undefined : () => setAsked(true)}
    >
      <Ellipsis aria-hidden className="icon" />
    </Button>
  )
  return asked ? <Opened {...props} trigger={button} /> : button
}

const ICONS: Record<ProjectStatus, LucideIcon> = {
  active: CirclePlay,
  completed: CircleCheck,
  archived: Archive,
}

function Opened({ project, intents, trigger }: ProjectMenuProps & { trigger: ReactNode }) {
  const { canEdit } = project
  return (
    <Menu defaultOpen trigger={trigger}>
      <MenuAction icon={ArrowRight} label="Open" onSelect={() => intents.open(project)} />
      <MenuAction icon={Settings} label="Settings" onSelect={() => intents.showSettings(project)} />
      <MenuAction
        icon={LinkIcon}
        label="Copy address"
        onSelect={() => copyWithToast(pageUrl(project), 'the address')}
      />
      <MenuAction icon={Copy} label="Copy ID" onSelect={() => copyWithToast(project.id, 'the ID')} />
      <MenuSeparator />
      {canEdit && (
        <>
          <MenuAction icon={Share2} label="Share…" onSelect={() => intents.share(project)} />
          <MenuAction icon={Pencil} label="Rename" onSelect={() => intents.startRename(project)} />
        </>
      )}
      <MenuAction icon={CopyPlus} label="Duplicate" onSelect={() => intents.duplicate(project)} />
      {canEdit && (
        <>
          <MenuSeparator />
          {STATUS_NAMES.filter((status) => status !== project.status).map((status) => (
            <MenuAction
              key={status}
              icon={ICONS[status]}
              label={STATUSES[status].act}
              onSelect={() => intents.setStatus(project, status)}
            />
          ))}
          <MenuSeparator />
          <MenuAction icon={Trash2} label="Delete" onSelect={() => intents.remove(project)} />
        </>
      )}
    </Menu>
  )
}
