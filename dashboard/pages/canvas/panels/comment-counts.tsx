import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { commentApi, countsQuery, guestCommentApi } from '../../../api/comments.ts'
import { useCanvas } from '../canvas-context.ts'

export default function CommentCounts() {
  const canvas = useCanvas()
  const api = useMemo(() => (canvas.isGuest ? guestCommentApi(canvas.headers) : commentApi), [canvas])
  const { data } = useQuery(countsQuery(api, canvas.project.id))
  useEffect(() => {
    if (data) canvas.ui.commentCounts.set(new Map(data.items.map(({ blockId, open }) => [blockId, open])))
  }, [data, canvas])
  return null
}
