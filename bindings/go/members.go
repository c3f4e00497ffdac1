package assay

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// The documents here are of verified tokens: libassay has checked that they are JSON objects whose names are unique. What follows reads
// nothing else right, but ends on every text.

// member returns the JSON of a member of an object; "" if it has none of exactly this name.
func member(object, name string) string {
	place := skip(object, 0)
	for place < len(object) && (object[place] == '{' || object[place] == ',') {
		start := skip(object, place+1)
		end := stringEnd(object, start)
		colon := skip(object, end)
		first := skip(object, colon+1)
		last := valueEnd(object, first)
		if last > first && isNamed(object[start:end], name) {
			return object[first:last]
		}
		place = skip(object, last)
	}
	return ""
}

// isNamed tells whether a string in quotes is this name. A name without escapes has as many bytes.
func isNamed(quoted, name string) bool {
	if len(quoted) == len(name)+2 && quoted[1:len(quoted)-1] == name {
		return strings.IndexByte(name, '\\') < 0
	}
	return strings.IndexByte(quoted, '\\') >= 0 && unquoted(quoted) == name
}

// unquoted returns a string without its quotes and escapes; "" for another value.
func unquoted(quoted string) string {
	if len(quoted) < 2 || quoted[0] != '"' {
		return ""
	}
	if strings.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	var plain string
	_ = json.Unmarshal([]byte(quoted), &plain)
	return plain
}

// date returns the whole second of a NumericDate (RFC 7519 section 2), rounded towards the past.
func date(number string) (int64, bool) {
	if strings.ContainsAny(number, "eE") {
		value, err := strconv.ParseFloat(number, 64)
		// The years from 0 to 9999: a verified token has no others.
		return int64(math.Floor(value)), err == nil && math.Abs(value) < 1e12
	}
	whole, fraction, _ := strings.Cut(number, ".")
	seconds, err := strconv.ParseInt(whole, 10, 64)
	if strings.HasPrefix(number, "-") && strings.Trim(fraction, "0") != "" {
		seconds--
	}
	return seconds, err == nil
}

// skip returns the place after white space: of the characters up to the space, JSON has no others between its values.
func skip(text string, place int) int {
	for place < len(text) && text[place] <= ' ' {
		place++
	}
	if place > len(text) {
		return len(text)
	}
	return place
}

// stringEnd returns the place after the closing quote of a string.
func stringEnd(text string, place int) int {
	for place++; place < len(text); place++ {
		switch text[place] {
		case '"':
			return place + 1
		case '\\':
			place++
		}
	}
	return len(text)
}

// valueEnd returns the place after a value.
func valueEnd(text string, place int) int {
	depth := 0
	for place < len(text) {
		switch character := text[place]; {
		case character == '"':
			place = stringEnd(text, place)
		case character == '{' || character == '[':
			depth++
			place++
		case (character == '}' || character == ']') && depth > 0:
			depth--
			place++
		case depth == 0:
			return scalarEnd(text, place)
		default:
			place++
		}
		if depth == 0 {
			return place
		}
	}
	return len(text)
}

// scalarEnd returns the place after a number, true, false or null.
func scalarEnd(text string, place int) int {
	for place < len(text) && text[place] > ' ' && text[place] != ',' && text[place] != '}' && text[place] != ']' {
		place++
	}
	return place
}
