import { publicLinks as endpoints } from '../../../../contract/files/public-links.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import * as links from './manage.ts'
import * as visits from './visit.ts'

/** Links with which anyone can read a file or folder. */
export const publicLinks: Feature = {
  routes: [
    handle(endpoints.list, links.list),
    handle(endpoints.create, links.create),
    handle(endpoints.renew, links.renew),
    handle(endpoints.revoke, links.revoke),
    handle(endpoints.listAll, links.listAll),
    handle(endpoints.revokeAll, links.revokeAll),
    handle(endpoints.settings, links.readSettings),
    handle(endpoints.updateSettings, links.updateSettings),
    handle(endpoints.open, visits.open),
    handle(endpoints.entries, visits.entries),
    handle(endpoints.content, visits.content),
    handle(endpoints.preview, visits.preview),
    handle(endpoints.archive, visits.archive),
  ],
}
