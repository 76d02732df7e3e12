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
  succeeded: { icon: CircleCheck, tone: 'text-good-text', word: 'completed' },
  failed: { icon: CircleX, tone: 'text-bad-text', word: 'failed' },
  canceled: { icon: CircleSlash, tone: 'text-neutral-10', word: 'canceled' },
}

const iconOfNews = ({ kind, status }: News): LucideIcon =>
  kind === 'runs' ? RESULTS[status!].icon : { canvas: Shapes, files: Files, comments: MessageSquare }[kind]

const toneOfNews = ({ kind, status }: News): string =>
  kind === 'runs' ? RESULTS[status!].tone : 'text-neutral-10'

/** The server counts up to 100. */
const counted = (count: number, singular: string, plural: string) =>
  count === 1 ? singular : `${count >= 100 ? t`100 or more` : count} ${plural}`

function newsLabel({ kind, status, agentName, title, count }: News): string {
  if (kind === 'comments') return count === 1 ? `“${title}”` : counted(count, '', 'comments')
  if (kind === 'files') return count === 1 ? title! : counted(count, '', 'files added or changed')
  if (kind === 'canvas') return counted(count, 'One change on the canvas', 'changes on the canvas')
  const { word } = RESULTS[status!]
  if (count === 1) return `${title || agentName || t`A run`}: ${word}`
  return t`${counted(count, '', 'runs')} by ${agentName ?? t`an agent`} ${word}`
}

function actorOf({ kind, people, agentName, count }: News): string {
  if (kind === 'runs') return count === 1 ? (agentName ?? '') : ''
  return people.join(', ')
}
