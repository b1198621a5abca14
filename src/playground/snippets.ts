// The request as other programs would make it.

import type { Asked } from './sketch/question.ts'

export const LANGUAGES = ['curl', 'fetch', 'Python', 'Go'] as const
export type Language = (typeof LANGUAGES)[number]

/** `origin`: scheme and host of the service; `withToken`: it asks for one, which programs take from TANGENT_TOKEN. */
export function snippet(language: Language, origin: string, { path, body }: Asked, withToken = false): string {
  const url = JSON.stringify(`${origin}${path}`)
  const text = JSON.stringify(body)
  switch (language) {
    case 'curl': {
      const token = withToken ? ` -H "authorization: Bearer $TANGENT_TOKEN"` : ''
      return `curl -s ${origin}${path} -H 'content-type: application/json'${token} -d '${text.replaceAll("'", "'\\''")}'`
    }
    case 'fetch': {
      const token = withToken ? ", authorization: 'Bearer ' + process.env.TANGENT_TOKEN" : ''
      return `const response = await fetch(${url}, {
  method: 'POST',
  headers: { 'content-type': 'application/json'${token} },
  body: JSON.stringify(${JSON.stringify(body, null, 2)}),
})
console.log(await response.json())`
    }
    case 'Python': {
      const token = withToken ? ', "authorization": "Bearer " + os.environ["TANGENT_TOKEN"]' : ''
      return `import json, ${withToken ? 'os, ' : ''}urllib.request

body = json.loads(${JSON.stringify(text)})
headers = {"content-type": "application/json"${token}}
request = urllib.request.Request(${url}, json.dumps(body).encode(), headers)
print(json.load(urllib.request.urlopen(request)))`
    }
    case 'Go':
      return `package main

import (
	"fmt"
	"io"
	"net/http"${withToken ? '\n\t"os"' : ''}
	"strings"
)

func main() {
	request, err := http.NewRequest("POST", ${url}, strings.NewReader(${JSON.stringify(text)}))
	if err != nil {
		panic(err)
	}
	request.Header.Set("Content-Type", "application/json")${
    withToken ? '\n\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("TANGENT_TOKEN"))' : ''
  }
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(response.Body)
	fmt.Println(string(answer))
}`
  }
}
