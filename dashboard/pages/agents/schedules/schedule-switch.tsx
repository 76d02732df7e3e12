import { useMutation } from '@tanstack/react-query'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { refreshSchedules, type Schedule, scheduleApi } from '../../../api/schedules.ts'
import { withNames } from '../../../components/name.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'

/** Switches a schedule on or off. Switching on one that the server paused resumes it with the rights of the user. */
export function ScheduleSwitch({ schedule: { id, name, enabled, paused } }: { schedule: Schedule }) {
  const isOn = enabled && paused === null
  const change = useMutation({
    mutationFn: () => scheduleApi.schedules.update({ id, enabled: !isOn }),
    onSuccess: () => {
      toast(isOn ? withNames`Turned off ${name}` : withNames`Turned on ${name}`)
      return refreshSchedules()
    },
    onError: toastFailure,
  })
  return (
    <span className="relative flex h-16 w-32 shrink-0">
      <input
        type="checkbox"
        role="switch"
        aria-label={textWithNames`Run ${name}`}
        checked={isOn}
        aria-checked={isOn}
        disabled={change.isPending}
        onChange={() => change.mutate()}
        className="peer absolute inset-0 size-full cursor-pointer opacity-0 disabled:cursor-default"
      />
      <span
        aria-hidden
        className="pointer-events-none flex size-full items-center rounded-round bg-neutral-9 px-px transition-colors peer-checked:justify-end peer-checked:bg-accent peer-focus-visible:outline-2 peer-focus-visible:outline-accent-text peer-focus-visible:outline-offset-2 peer-disabled:opacity-50"
      >
        <span className="size-12 rounded-round bg-neutral-1" />
      </span>
    </span>
  )
}
