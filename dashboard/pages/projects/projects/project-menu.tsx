import {
  Archive,
  ArrowRight,
  CircleCheck,
  CirclePlay,
  Copy,
  CopyPlus,
  Ellipsis,
  FilePlus2,
  LayoutTemplate,
  Link as LinkIcon,
  type LucideIcon,
  Pencil,
  Settings,
  Share2,
  Star,
  StarOff,
  Trash2,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { useFavouriteIds } from '../../../api/project-pages.ts'
import type { Project, ProjectStatus } from '../../../api/projects.ts'
import { useCanCreateProjects } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { copyWithToast } from '../../../components/copy.tsx'
import { Menu, MenuAction, MenuSeparator } from '../../../components/menu.tsx'
import { setFavourite } from './favourite-star.tsx'
import { pageUrl } from './project-actions.ts'
import type { ProjectCommands } from './project-commands.ts'
import { STATUS_NAMES, STATUSES } from './project-labels.ts'

interface ProjectMenuProps {
  project: Project
  commands: ProjectCommands
}

/** Mounts the menu on first click: a long list has hundreds. */
export function ProjectMenu(props: ProjectMenuProps) {
  const [opened, setOpened] = useState(false)
  const button = (
    <Button
      look="quiet"
      size="small-icon"
      aria-haspopup="menu"
      aria-label={textWithNames`Actions for ${props.project.name}`}
      onClick={opened ? undefined : () => setOpened(true)}
    >
      <Ellipsis aria-hidden className="icon" />
    </Button>
  )
  return opened ? <OpenMenu {...props} trigger={button} /> : button
}

const ICONS: Record<ProjectStatus, LucideIcon> = {
  active: CirclePlay,
  completed: CircleCheck,
  archived: Archive,
}

function OpenMenu({ project, commands, trigger }: ProjectMenuProps & { trigger: ReactNode }) {
  const { canEdit } = project
  const canDuplicate = useCanCreateProjects()
  const isFavourite = useFavouriteIds().has(project.id)
  return (
    <Menu defaultOpen trigger={trigger}>
      <MenuAction icon={ArrowRight} label="Open" onSelect={() => commands.open(project)} />
      <MenuAction
        icon={isFavourite ? StarOff : Star}
        label={isFavourite ? t`Remove from favorites` : t`Add to favorites`}
        onSelect={() => void setFavourite(project, !isFavourite)}
      />
      <MenuAction icon={Settings} label="Settings" onSelect={() => commands.showSettings(project)} />
      <MenuAction
        icon={LinkIcon}
        label="Copy link"
        onSelect={() => copyWithToast(pageUrl(project), t`link`)}
      />
      <MenuAction icon={Copy} label="Copy ID" onSelect={() => copyWithToast(project.id, 'ID')} />
      <MenuSeparator />
      {canEdit && (
        <>
          <MenuAction icon={Share2} label="Share…" onSelect={() => commands.share(project)} />
          <MenuAction icon={Pencil} label="Rename" onSelect={() => commands.startRename(project)} />
          <MenuAction
            icon={LayoutTemplate}
            label="Save as template…"
            onSelect={() => commands.saveAsTemplate(project)}
          />
        </>
      )}
      {canDuplicate && (
        <>
          <MenuAction icon={CopyPlus} label="Duplicate" onSelect={() => commands.duplicate(project)} />
          <MenuAction
            icon={FilePlus2}
            label="New project from canvas…"
            onSelect={() => commands.startFrom(project)}
          />
        </>
      )}
      {canEdit && (
        <>
          <MenuSeparator />
          {STATUS_NAMES.filter((status) => status !== project.status).map((status) => (
            <MenuAction
              key={status}
              icon={ICONS[status]}
              label={STATUSES[status].action}
              onSelect={() => commands.setStatus(project, status)}
            />
          ))}
          <MenuSeparator />
          <MenuAction icon={Trash2} label="Delete" onSelect={() => commands.remove(project)} />
        </>
      )}
    </Menu>
  )
}
