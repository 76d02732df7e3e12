import { displayTextAt, itemsAt } from '../definition/payload.ts'
import type { Registration } from '../definition/receiver.ts'
import type { RequestTemplate } from '../definition/template.ts'

export const findByUrl =
  (
    request: RequestTemplate,
    paths: { items: string; url: string; keep: string },
  ): NonNullable<Registration['find']> =>
  ({ url }) => ({
    request,
    keep: (answer) => {
      const found = itemsAt(answer, paths.items).find((item) => displayTextAt(item, paths.url) === url)
      const id = displayTextAt(found, 'id')
      return id === null ? null : { [paths.keep]: id }
    },
  })
