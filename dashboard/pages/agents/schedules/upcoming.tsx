import { t } from '../../../../contract/text.ts'
import type { Schedule } from '../../../api/schedules.ts'
import { formatClock, formatLongDay } from '../../../components/dates.ts'
import { AgentFace } from '../../../components/faces.tsx'
import { browserTimeZone, zoneLabel } from '../../../components/forms/time-zones.ts'
import { Name } from '../../../components/name.tsx'

const SHOWN_MAX = 8

/** The next runs of all schedules by day, in the browser's time zone. */
export function Upcoming({ schedules }: { schedules: readonly Schedule[] }) {
  const times = schedules
    .flatMap((schedule) => schedule.nextRuns.map((at) => ({ at, schedule })))
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .slice(0, SHOWN_MAX)
  if (times.length === 0) return null
  const days = Map.groupBy(times, ({ at }) => formatLongDay(at))
  return (
    <section aria-label="Next runs" className="rounded-panel bg-card p-16 shadow-card">
      <h2 className="flex items-baseline justify-between gap-8 pb-8 font-strong">
        Next runs
        <span className="truncate font-regular text-12 text-neutral-11">
          {t`Times in ${zoneLabel(browserTimeZone())}`}
        </span>
      </h2>
      {[...days].map(([day, runs]) => (
        <div key={day} className="pt-8">
          <h3 className="text-12 text-neutral-11">{day}</h3>
          <ul>
            {runs.map(({ at, schedule: { id, name, agentId, agentName } }) => (
              <li key={`${id} ${at}`} className="flex min-h-32 items-center gap-12 text-13">
                <time dateTime={at} className="w-[64px] shrink-0 text-neutral-11 tabular-nums">
                  {formatClock(at)}
                </time>
                {agentId && <AgentFace agent={{ id: agentId, name: agentName ?? name }} size={20} />}
                <span className="min-w-0 truncate">
                  <Name>{name}</Name>
                </span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}
