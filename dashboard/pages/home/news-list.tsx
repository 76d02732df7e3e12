import { useMutation } from '@tanstack/react-query'
import {
  CircleCheck,
  CircleSlash,
  CircleX,
  Files,
  type LucideIcon,
  MessageSquare,
  Shapes,
} from 'lucide-react'
import { t } from '../../../contract/text.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Block } from '../../components/layout/block.tsx'
import { Name } from '../../components/name.tsx'
import { Time } from '../../components/time.tsx'
import { toastFailure } from '../../components/toast.tsx'
import { type Home, type News, patchHome, refreshHome } from './home-query.ts'
import { PageLink, Row, useNewKeys } from './row.tsx'

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
    <Block
      title={lastVisitAt ? t`Since your last visit` : t`Recent changes`}
      note={lastVisitAt && <Time at={lastVisitAt} />}
      headingEnd={
        news.length > 0 && (
          <Button look="quiet" size="small" onClick={() => clear.mutate()}>
            Clear
          </Button>
        )
      }
    >
      {rows.length === 0 ? (
        <p className="py-12 pl-4 text-13 text-neutral-11">Nothing new in your projects.</p>
      ) : (
        <ul>
          {rows.map((item) => (
            <Row
              key={item.key}
              icon={iconOfNews(item)}
              tone={toneOfNews(item)}
              at={item.at}
              isNew={isNew(`${item.key} ${item.at}`)}
              link={
                <PageLink path={item.path} id={item.key}>
                  <Name>{newsLabel(item)}</Name>
                </PageLink>
              }
            >
              <Name>{item.project.name}</Name>
              {actorOf(item) && (
                <>
                  {' · '}
                  <Name>{actorOf(item)}</Name>
                </>
              )}
            </Row>
          ))}
        </ul>
      )}
    </Block>
  )
}

const RESULTS = {
  succeeded: {
    icon: CircleCheck,
    tone: 'text-good-text',
    one: (name: string) => t`${name}: completed`,
    many: (count: string, agent: string) => t`${count} runs by ${agent} completed`,
  },
  failed: {
    icon: CircleX,
    tone: 'text-bad-text',
    one: (name: string) => t`${name}: failed`,
    many: (count: string, agent: string) => t`${count} runs by ${agent} failed`,
  },
  canceled: {
    icon: CircleSlash,
    tone: 'text-neutral-10',
    one: (name: string) => t`${name}: canceled`,
    many: (count: string, agent: string) => t`${count} runs by ${agent} canceled`,
  },
}

const iconOfNews = ({ kind, status }: News): LucideIcon =>
  kind === 'runs' ? RESULTS[status!].icon : { canvas: Shapes, files: Files, comments: MessageSquare }[kind]

const toneOfNews = ({ kind, status }: News): string =>
  kind === 'runs' ? RESULTS[status!].tone : 'text-neutral-10'

/** The server counts up to 100. */
const atMost100 = (count: number) => (count >= 100 ? t`100 or more` : String(count))

function newsLabel({ kind, status, agentName, title, count }: News): string {
  const number = atMost100(count)
  if (kind === 'comments') return count === 1 ? t`“${title!}”` : t`${number} comments`
  if (kind === 'files') return count === 1 ? title! : t`${number} files added or changed`
  if (kind === 'canvas') return count === 1 ? t`One change on the canvas` : t`${number} changes on the canvas`
  const { one, many } = RESULTS[status!]
  return count === 1 ? one(title || agentName || t`A run`) : many(number, agentName ?? t`an agent`)
}

function actorOf({ kind, people, agentName, count }: News): string {
  if (kind === 'runs') return count === 1 ? (agentName ?? '') : ''
  return people.join(', ')
}
