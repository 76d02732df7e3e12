import { refreshSchedules, type Schedule, scheduleApi } from '../../../api/schedules.ts'
import { DeleteDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Name } from '../../../components/name.tsx'

export function DeleteScheduleDialog({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const { id, name } = schedule
  return (
    <DeleteDialog
      kind="schedule"
      name={name}
      remove={() => scheduleApi.schedules.remove({ id })}
      refresh={refreshSchedules}
      onClose={onClose}
    >
      <Name>{name}</Name> starts no more runs. Its past runs stay in the list of runs.
    </DeleteDialog>
  )
}
