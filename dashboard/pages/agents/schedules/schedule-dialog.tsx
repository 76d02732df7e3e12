import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { describeCron } from '../../../../contract/agents/describe-cron.ts'
import { CRON_PRESETS, SCHEDULE_LIMITS } from '../../../../contract/agents/schedule-options.ts'
import { t } from '../../../../contract/text.ts'
import { agentsQuery } from '../../../api/agents.ts'
import { failureMessage, shortMessage } from '../../../api/explain.ts'
import { newestProjectsQuery } from '../../../api/projects.ts'
import { refreshSchedules, type Schedule, scheduleApi, timesQuery } from '../../../api/schedules.ts'
import { formatMoment, localizeClock } from '../../../components/dates.ts'
import { FormDialog, useSaveRecord } from '../../../components/dialogs/form-dialog.tsx'
import { TextArea, TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { TimeZoneField } from '../../../components/forms/time-zone-field.tsx'
import { browserTimeZone } from '../../../components/forms/time-zones.ts'

interface Draft {
  name: string
  projectId: string
  agentId: string
  message: string
  cron: string
  timeZone: string
}

const draftOf = (schedule: Schedule | undefined): Draft => ({
  name: schedule?.name ?? '',
  projectId: schedule?.projectId ?? '',
  agentId: schedule?.agentId ?? '',
  message: schedule?.message ?? '',
  cron: schedule?.cron ?? CRON_PRESETS[2].cron,
  timeZone: schedule?.timeZone ?? browserTimeZone(),
})

/** A block's agent and message are set on the canvas. */
export function ScheduleDialog({ schedule, onClose }: { schedule?: Schedule; onClose: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(schedule))
  const change = (next: Partial<Draft>) => setDraft((previous) => ({ ...previous, ...next }))
  const projects = (useQuery(newestProjectsQuery).data?.items ?? []).filter(({ canEdit }) => canEdit)
  const agents = useInfiniteQuery(agentsQuery({})).data?.pages.flatMap(({ items }) => items) ?? []
  const isBlock = schedule !== undefined && schedule.blockId !== null
  const projectId = draft.projectId || (projects[0]?.id ?? '')
  const agentId = draft.agentId || (agents[0]?.id ?? '')
  const save = useSaveRecord({
    isNew: !schedule,
    refresh: refreshSchedules,
    onClose,
    save: () => {
      const { name, message, cron, timeZone } = draft
      if (!schedule)
        return scheduleApi.schedules.create({
          name: name.trim() || undefined,
          projectId,
          agentId,
          message,
          cron,
          timeZone,
        })
      const changes = { name, cron, timeZone, ...(!isBlock && { agentId, message }) }
      return scheduleApi.schedules.update({ id: schedule.id, ...changedFields(schedule, changes) })
    },
  })
  return (
    <FormDialog
      size="normal"
      title={schedule ? t`Edit schedule` : t`New schedule`}
      action={schedule ? t`Save changes` : t`Create schedule`}
      failure={failureMessage(save.error)}
      busy={save.isPending}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      {!schedule && (
        <Select
          label="Project"
          required
          value={projectId}
          onChange={(event) => change({ projectId: event.target.value })}
        >
          {projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
      {!isBlock && (
        <>
          <Select
            label="Agent"
            required
            value={agentId}
            onChange={(event) => change({ agentId: event.target.value })}
          >
            {agents.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
          <TextArea
            label="Message"
            required
            rows={4}
            limit={SCHEDULE_LIMITS.message}
            placeholder="Summarize what changed on the canvas since yesterday."
            data-autofocus
            value={draft.message}
            onChange={(event) => change({ message: event.target.value })}
          />
        </>
      )}
      <TimingFields cron={draft.cron} timeZone={draft.timeZone} onChange={change} />
      <TextField
        label={schedule ? t`Name` : t`Name (optional)`}
        required={schedule !== undefined}
        limit={SCHEDULE_LIMITS.name}
        autoComplete="off"
        value={draft.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <p className="text-12 text-neutral-11">
        {schedule
          ? t`If you change the agent, message or times, the schedule will run with your permissions.`
          : t`Runs with your permissions. The schedule pauses if you leave the organization or lose access to the project.`}
      </p>
    </FormDialog>
  )
}

/** Sends only what differs: an unchanged agent, message or time would transfer the runs to the current user. */
function changedFields<T extends Record<string, string>>(schedule: Schedule, draft: T): Partial<T> {
  const current = schedule as unknown as Record<string, unknown>
  const changed = Object.entries(draft).filter(([field, value]) => current[field] !== value)
  return (changed.length > 0 ? Object.fromEntries(changed) : { name: draft.name }) as Partial<T>
}

interface TimingFieldsProps {
  cron: string
  timeZone: string
  onChange: (change: { cron?: string; timeZone?: string }) => void
}

const CUSTOM = 'custom'

function TimingFields({ cron, timeZone, onChange }: TimingFieldsProps) {
  const [isCustom, setCustom] = useState(!CRON_PRESETS.some((preset) => preset.cron === cron))
  const shown = useDeferredValue(cron)
  const times = useQuery(timesQuery(shown, timeZone))
  return (
    <>
      <Select
        label="When"
        value={isCustom ? CUSTOM : cron}
        onChange={({ target: { value } }) => {
          setCustom(value === CUSTOM)
          if (value !== CUSTOM) onChange({ cron: value })
        }}
      >
        {CRON_PRESETS.map((preset) => (
          <option key={preset.cron} value={preset.cron}>
            {localizeClock(preset.label)}
          </option>
        ))}
        <option value={CUSTOM}>Other times…</option>
      </Select>
      {isCustom && (
        <TextField
          label="Cron expression"
          required
          limit={SCHEDULE_LIMITS.cron}
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
          placeholder="30 8 * * MON,THU"
          hint="Minute, hour, day of month, month, weekday."
          isLive
          error={times.error ? shortMessage(times.error) : undefined}
          value={cron}
          onChange={(event) => onChange({ cron: event.target.value })}
        />
      )}
      <TimeZoneField value={timeZone} onChange={(zone) => onChange({ timeZone: zone })} />
      {times.data && !times.error && (
        <p aria-live="polite" className="text-13 text-neutral-11">
          {localizeClock(describeCron(shown))}, next:{' '}
          {times.data.nextRuns.map((time) => formatMoment(time, { timeZone })).join(' · ')}
        </p>
      )}
    </>
  )
}
