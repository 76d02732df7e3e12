import { useNavigate } from '@tanstack/react-router'
import { Copy, Ellipsis, ListTree, Pencil, Play, Trash2 } from 'lucide-react'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { refreshSchedules, type Schedule, scheduleApi } from '../../../api/schedules.ts'
import { Button } from '../../../components/button.tsx'
import { copyWithToast } from '../../../components/copy.tsx'
import { Menu, MenuAction } from '../../../components/menu.tsx'
import { withNames } from '../../../components/name.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'

interface ScheduleMenuProps {
  schedule: Schedule
  onEdit: () => void
  onDelete: () => void
}

export function ScheduleMenu({ schedule, onEdit, onDelete }: ScheduleMenuProps) {
  const { id, name, canEdit } = schedule
  const navigate = useNavigate()
  const runNow = async () => {
    try {
      const { run } = await scheduleApi.schedules.run({ id })
      void refreshSchedules()
      const open = () => void navigate({ to: '/runs/$runId', params: { runId: run.id } })
      toast(withNames`Started ${name}`, { label: 'Open run', run: open })
    } catch (error) {
      toastFailure(error)
    }
  }
  const trigger = (
    <Button look="quiet" size="small-icon" aria-label={textWithNames`Actions for ${name}`}>
      <Ellipsis aria-hidden className="icon" />
    </Button>
  )
  return (
    <Menu trigger={trigger}>
      {canEdit && <MenuAction icon={Play} label="Run now" onSelect={() => void runNow()} />}
      <MenuAction
        icon={ListTree}
        label="Show runs"
        onSelect={() => void navigate({ to: '/runs', search: { schedule: id } })}
      />
      {canEdit && <MenuAction icon={Pencil} label="Edit" onSelect={onEdit} />}
      <MenuAction
        icon={Copy}
        label="Copy schedule ID"
        onSelect={() => void copyWithToast(id, 'schedule ID')}
      />
      {canEdit && <MenuAction icon={Trash2} label="Delete" onSelect={onDelete} />}
    </Menu>
  )
}
