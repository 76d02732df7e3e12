import { useMutation } from '@tanstack/react-query'
import { CircleSlash, CircleX, UserRound } from 'lucide-react'
import { t } from '../../../contract/text.ts'
import { textWithNames } from '../../../contract/text-with-names.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { AgentFace, PersonFace } from '../../components/faces.tsx'
import { Name } from '../../components/name.tsx'
import { Time } from '../../components/time.tsx'
import { toastFailure } from '../../components/toast.tsx'
import { type Home, type News, patchHome, refreshHome } from './home-query.ts'
import { HomeSection, PageLink, ROW, useNewKeys } from './section.tsx'

/** By others and agents, since the previous visit or joining. */
export function NewsList({ home: { news, lastVisitAt, projects } }: { home: Home }) {
  const rows = news.map((item) => ({
    ...item,
    key: `${item.kind} ${item.project.id} ${item.agentName} ${item.status}`,
  }))
  const isNew = useNewKeys(rows.map(({ key, at }) => `${key} ${at}`))
  const clear = useMutation({
    mutationFn: () => api.home.seen({ clear: true }),
    onMutate: () => patchHome(() => ({ news: [], lastVisitAt: null })),
    onError: toastFailure,
    onSettled: refreshHome,
  })
  if (projects.length === 0 || (!lastVisitAt && news.length === 0)) return null
  return (
    <HomeSection
      title={lastVisitAt ? t`Since your last visit` : t`Recent changes`}
      note={
        lastVisitAt && (
          <span className="text-12 text-neutral-11">
            <Time at={lastVisitAt} />
          </span>
        )
      }
      end={
        news.length > 0 && (
          <Button look="quiet" size="small" onClick={() => clear.mutate()}>
            Clear
          </Button>
        )
      }
    >
      {rows.length === 0 ? (
        <p className="px-4 text-13 text-neutral-11">Nothing new in your projects.</p>
      ) : (
        <ul>
          {rows.map((item) => (
            <NewsRow key={item.key} item={item} isNew={isNew(`${item.key} ${item.at}`)} />
          ))}
        </ul>
      )}
    </HomeSection>
  )
}

function NewsRow({ item, isNew }: { item: Keyed<News>; isNew: boolean }) {
  const { key, path, at, project } = item
  const actor = actorOf(item)
  return (
    <li
      className={`${ROW} flex min-h-row items-center gap-12 px-4 py-8 text-13 ${isNew ? 'animate-wash' : ''}`}
    >
      <Face item={item} />
      <p className="min-w-0 flex-1 truncate">
        <PageLink path={path} id={key}>
          {actor && (
            <>
              <span className="font-medium">
                <Name>{actor}</Name>
              </span>{' '}
            </>
          )}
          <span className="text-neutral-11">
            <Name>{newsLabel(item)}</Name>
          </span>
        </PageLink>
      </p>
      <span className="hidden max-w-qr truncate text-12 text-neutral-11 @extra-wide:block">
        <Name>{project.name}</Name>
      </span>
      <span className="shrink-0 text-right text-12 text-neutral-11 tabular-nums sm:w-when">
        <Time at={at} />
      </span>
    </li>
  )
}

type Keyed<T> = T & { key: string }

/** Who did it, with a mark for a run that didn't succeed. */
function Face({ item: { agentId, agentName, actors, status } }: { item: News }) {
  if (agentId !== null) {
    const Mark = status === 'failed' ? CircleX : status === 'canceled' ? CircleSlash : null
    return (
      <span className="relative inline-flex">
        <AgentFace agent={{ id: agentId, name: agentName ?? '' }} size={20} />
        {Mark && (
          <span className="absolute -right-4 -bottom-4 rounded-round bg-page">
            <Mark
              aria-hidden
              className={`size-12 ${status === 'failed' ? 'text-bad-mark' : 'text-neutral-10'}`}
            />
          </span>
        )}
      </span>
    )
  }
  const [first] = actors
  if (first) return <PersonFace person={first} size={20} />
  return (
    <span className="flex size-20 items-center justify-center">
      <UserRound aria-hidden className="icon text-neutral-10" />
    </span>
  )
}

/** The server counts up to 100. */
const atMost100 = (count: number) => (count >= 100 ? t`100 or more` : String(count))

/** Follows the name of who did it, as one sentence. */
function newsLabel({ kind, status, title, count }: News): string {
  const number = atMost100(count)
  if (kind === 'comments')
    return count === 1 ? textWithNames`commented: “${title!}”` : t`wrote ${number} comments`
  if (kind === 'files')
    return count === 1 ? textWithNames`added or changed ${title!}` : t`added or changed ${number} files`
  if (kind === 'canvas') return count === 1 ? t`changed the canvas` : t`made ${number} changes on the canvas`
  if (count === 1) return RESULTS[status!].one(title || t`a run`)
  return RESULTS[status!].many(number)
}

const RESULTS = {
  succeeded: {
    one: (name: string) => textWithNames`finished “${name}”`,
    many: (count: string) => t`finished ${count} runs`,
  },
  failed: {
    one: (name: string) => textWithNames`failed at “${name}”`,
    many: (count: string) => t`failed in ${count} runs`,
  },
  canceled: {
    one: (name: string) => textWithNames`was stopped at “${name}”`,
    many: (count: string) => t`was stopped in ${count} runs`,
  },
}

const actorOf = ({ kind, people, agentName }: News): string =>
  kind === 'runs' ? (agentName ?? t`An agent`) : people.length > 0 ? people.join(', ') : t`Someone`
