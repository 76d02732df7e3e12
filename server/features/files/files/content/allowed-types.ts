import { dictionary } from '../../../../../contract/dictionary.ts'
export interface AllowedType {
  mimeType: string
  extensions: string[]
  /** Types that detection may report. Null for text, which has no signature. */
  detectedAs: string[] | null
}

const text = (mimeType: string, extensions = ''): AllowedType => ({
  mimeType,
  extensions: words(extensions),
  detectedAs: null,
})

const binary = (mimeType: string, extensions: string, alsoDetectedAs: string[] = []): AllowedType => ({
  mimeType,
  extensions: words(extensions),
  detectedAs: [mimeType, ...alsoDetectedAs],
})

const words = (list: string) => list.split(' ').filter(Boolean)

/** Families with one container format, which detection can't tell apart. */
const ZIP = ['application/zip']
const OLD_OFFICE = ['application/x-cfb']
const MP4 = [
  'video/mp4',
  'audio/mp4',
  'audio/x-m4a',
  'video/x-m4v',
  'video/quicktime',
  'video/3gpp',
  'video/3gpp2',
]
const OGG = ['audio/ogg', 'audio/ogg; codecs=opus', 'video/ogg', 'application/ogg']
const MATROSKA = ['video/matroska', 'video/webm']
const ASF = ['application/vnd.ms-asf', 'audio/x-ms-asf', 'video/x-ms-asf']
const HEIF = ['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence']
const MPEG_AUDIO = ['audio/mpeg', 'audio/aac']
const MPEG_VIDEO = ['video/mpeg', 'video/MP1S', 'video/MP2P']

const OPEN_XML = 'application/vnd.openxmlformats-officedocument'
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument'

const documents = [
  binary('application/pdf', 'pdf'),
  binary('application/rtf', 'rtf'),
  binary('application/msword', 'doc dot', OLD_OFFICE),
  binary(`${OPEN_XML}.wordprocessingml.document`, 'docx', ZIP),
  binary(`${OPEN_XML}.wordprocessingml.template`, 'dotx', ZIP),
  binary(`${OPEN_DOCUMENT}.text`, 'odt', ZIP),
  binary('application/vnd.apple.pages', 'pages', ZIP),
  binary('application/epub+zip', 'epub', ZIP),
  binary('application/vnd.ms-outlook', 'msg', OLD_OFFICE),
  binary('application/vnd.ms-excel', 'xls xlt', OLD_OFFICE),
  binary(`${OPEN_XML}.spreadsheetml.sheet`, 'xlsx', ZIP),
  binary(`${OPEN_XML}.spreadsheetml.template`, 'xltx', ZIP),
  binary(`${OPEN_DOCUMENT}.spreadsheet`, 'ods', ZIP),
  binary('application/vnd.apple.numbers', 'numbers', ZIP),
  binary('application/vnd.ms-powerpoint', 'ppt pot pps', OLD_OFFICE),
  binary(`${OPEN_XML}.presentationml.presentation`, 'pptx', ZIP),
  binary(`${OPEN_XML}.presentationml.template`, 'potx', ZIP),
  binary(`${OPEN_XML}.presentationml.slideshow`, 'ppsx', ZIP),
  binary(`${OPEN_DOCUMENT}.presentation`, 'odp', ZIP),
  binary(`${OPEN_DOCUMENT}.graphics`, 'odg', ZIP),
  binary('application/vnd.apple.keynote', 'key', ZIP),
]

const textFormats = [
  text('text/plain', 'txt text log ini cfg conf env properties gitignore diff patch lock srt rst adoc org'),
  text('text/markdown', 'md markdown mdx'),
  text('text/csv', 'csv'),
  text('text/tab-separated-values', 'tsv tab'),
  text('text/html', 'html htm xhtml'),
  text('application/xhtml+xml'),
  text('text/css', 'css'),
  text('text/javascript', 'js mjs cjs jsx'),
  text('text/x-typescript', 'ts tsx mts cts'),
  text('application/json', 'json map webmanifest ipynb geojson'),
  text('application/ld+json', 'jsonld'),
  text('application/x-ndjson', 'ndjson jsonl'),
  text('application/xml', 'xml xsd xsl xslt plist rss atom'),
  text('text/xml'),
  text('application/yaml', 'yaml yml'),
  text('application/toml', 'toml'),
  text('application/sql', 'sql'),
  text('application/graphql', 'graphql gql'),
  text('application/x-sh', 'sh bash zsh fish'),
  text('text/x-python', 'py pyi'),
  text('text/x-ruby', 'rb'),
  text('text/x-php', 'php'),
  text('text/x-perl', 'pl pm'),
  text('text/x-lua', 'lua'),
  text('text/x-r', 'r'),
  text('text/x-c', 'c h'),
  text('text/x-c++', 'cpp cc cxx hpp hh'),
  text('text/x-csharp', 'cs'),
  text('text/x-java', 'java'),
  text('text/x-kotlin', 'kt kts'),
  text('text/x-scala', 'scala'),
  text('text/x-swift', 'swift'),
  text('text/x-go', 'go'),
  text('text/x-rust', 'rs'),
  text('text/x-powershell', 'ps1'),
  text('text/x-tex', 'tex bib'),
  text('text/x-vue', 'vue svelte astro'),
  text('text/x-scss', 'scss sass less'),
  text('text/calendar', 'ics'),
  text('text/vcard', 'vcf'),
  text('text/vtt', 'vtt'),
  text('message/rfc822', 'eml'),
  text('image/svg+xml', 'svg'),
]

const images = [
  binary('image/png', 'png', ['image/apng']),
  binary('image/apng', 'apng', ['image/png']),
  binary('image/jpeg', 'jpg jpeg jfif'),
  binary('image/gif', 'gif'),
  binary('image/webp', 'webp'),
  binary('image/avif', 'avif'),
  binary('image/heic', 'heic', HEIF),
  binary('image/heif', 'heif', HEIF),
  binary('image/tiff', 'tif tiff'),
  binary('image/bmp', 'bmp'),
  binary('image/x-icon', 'ico'),
  binary('image/jxl', 'jxl'),
  binary('image/jp2', 'jp2'),
  binary('image/vnd.adobe.photoshop', 'psd'),
]

const audio = [
  binary('audio/mpeg', 'mp3', MPEG_AUDIO),
  binary('audio/aac', 'aac', MPEG_AUDIO),
  binary('audio/mp4', 'm4a m4b', MP4),
  binary('audio/ogg', 'ogg oga opus', OGG),
  binary('audio/webm', 'weba', MATROSKA),
  binary('audio/wav', 'wav'),
  binary('audio/flac', 'flac'),
  binary('audio/aiff', 'aif aiff'),
  binary('audio/midi', 'mid midi'),
  binary('audio/amr', 'amr'),
  binary('audio/x-ms-wma', 'wma', ASF),
]

const video = [
  binary('video/mp4', 'mp4 m4v', MP4),
  binary('video/quicktime', 'mov', MP4),
  binary('video/3gpp', '3gp', MP4),
  binary('video/3gpp2', '3g2', MP4),
  binary('video/webm', 'webm', MATROSKA),
  binary('video/x-matroska', 'mkv', MATROSKA),
  binary('video/ogg', 'ogv', OGG),
  binary('video/mpeg', 'mpg mpeg', MPEG_VIDEO),
  binary('video/mp2t', 'm2ts'),
  binary('video/x-msvideo', 'avi', ['video/vnd.avi']),
  binary('video/x-ms-wmv', 'wmv', ASF),
]

const archives = [
  binary(
    'application/zip',
    'zip',
    documents
      .filter(({ detectedAs }) => detectedAs?.includes('application/zip'))
      .map(({ mimeType }) => mimeType),
  ),
  binary('application/x-tar', 'tar'),
  binary('application/gzip', 'gz tgz'),
  binary('application/x-bzip2', 'bz2 tbz2'),
  binary('application/x-xz', 'xz txz'),
  binary('application/zstd', 'zst'),
  binary('application/x-7z-compressed', '7z'),
  binary('application/vnd.rar', 'rar', ['application/x-rar-compressed']),
]

const all = [...documents, ...textFormats, ...images, ...audio, ...video, ...archives]

export const ALLOWED = new Map(all.map((type) => [type.mimeType, type]))
export const BY_EXTENSION = new Map(all.flatMap((type) => type.extensions.map((ending) => [ending, type])))

export const ALIASES: Record<string, string | undefined> = dictionary({
  'application/x-pdf': 'application/pdf',
  'text/rtf': 'application/rtf',
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'image/x-ms-bmp': 'image/bmp',
  'image/vnd.microsoft.icon': 'image/x-icon',
  'image/x-photoshop': 'image/vnd.adobe.photoshop',
  'audio/mp3': 'audio/mpeg',
  'audio/x-mp3': 'audio/mpeg',
  'audio/x-m4a': 'audio/mp4',
  'audio/m4a': 'audio/mp4',
  'audio/x-aac': 'audio/aac',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-flac': 'audio/flac',
  'audio/x-aiff': 'audio/aiff',
  'audio/opus': 'audio/ogg',
  'audio/x-midi': 'audio/midi',
  'video/x-m4v': 'video/mp4',
  'video/matroska': 'video/x-matroska',
  'video/avi': 'video/x-msvideo',
  'video/vnd.avi': 'video/x-msvideo',
  'application/x-zip-compressed': 'application/zip',
  'application/x-zip': 'application/zip',
  'application/x-gzip': 'application/gzip',
  'application/x-bzip': 'application/x-bzip2',
  'application/x-rar-compressed': 'application/vnd.rar',
  'application/x-rar': 'application/vnd.rar',
  'application/x-zstd': 'application/zstd',
  'text/x-markdown': 'text/markdown',
  'text/tsv': 'text/tab-separated-values',
  'text/json': 'application/json',
  'text/yaml': 'application/yaml',
  'text/x-yaml': 'application/yaml',
  'application/x-yaml': 'application/yaml',
  'application/javascript': 'text/javascript',
  'application/x-javascript': 'text/javascript',
  'application/ecmascript': 'text/javascript',
  'application/typescript': 'text/x-typescript',
  'text/typescript': 'text/x-typescript',
  'application/x-typescript': 'text/x-typescript',
  'application/jsonl': 'application/x-ndjson',
  'application/x-shellscript': 'application/x-sh',
  'text/x-sh': 'application/x-sh',
  'application/x-python-code': 'text/x-python',
  'application/x-httpd-php': 'text/x-php',
  'application/x-php': 'text/x-php',
  'application/x-perl': 'text/x-perl',
  'application/x-ruby': 'text/x-ruby',
  'application/x-tex': 'text/x-tex',
  'text/sql': 'application/sql',
  'application/x-sql': 'application/sql',
})

export const EXECUTABLE_EXTENSIONS = new Set(
  words(
    'exe com scr pif cpl dll sys drv ocx msi msp mst msix appx bat cmd vbs vbe wsf wsh jse hta lnk scf reg ' +
      'jar class war ear dex apk aab ipa app dmg pkg deb rpm so dylib o ko elf run wasm swf crx xpi',
  ),
)
