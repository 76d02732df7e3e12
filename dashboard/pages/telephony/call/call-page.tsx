export default function CallPage() { return <p>{document.title}CallPage</p> }
