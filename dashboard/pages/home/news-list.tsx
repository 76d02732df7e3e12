import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Block } from '../../components/layout/block.tsx'
import { Name } from '../../components/name.tsx'
import { Time } from '../../components/time.tsx'
import { toastFailure } from '../../components/toast.tsx'
import { type Home, patchHome, refreshHome } from './home-query.ts'
import { actorOf, iconOfNews, newsLabel, toneOfNews } from './news-labels.ts'
import { PageLink } from './page-link.tsx'
import { Row } from './row.tsx'
import { useNewKeys } from './use-new-keys.ts'

/** Changes by others and by agents in the user's projects since the previous visit, or since they joined. */
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
      title={lastVisitAt ? 'Since your last visit' : 'Recent changes'}
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
