package assay

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Decode decodes all claims into a pointer to a struct or a map. A field takes the claim whose name its tag gives, to the letter, where
// encoding/json would also take another spelling: "Admin" is not "admin". Absent claims leave their fields. A type with a method
// UnmarshalJSON gets all claims, unless two of their names differ in case alone, and reads them by its own rules.
func (c *Claims) Decode(into any) error {
	target := reflect.ValueOf(into)
	if target.Kind() != reflect.Pointer || target.IsNil() {
		return fmt.Errorf("assay: Decode needs a pointer, and not %T", into)
	}
	if c.own().payload == "" {
		return withoutClaim("", "these are not the claims of a verified token")
	}
	target = innermost(target)
	if decoder, decodes := target.Interface().(json.Unmarshaler); decodes {
		if err := oneSpelling(c.payload); err != nil {
			return err
		}
		return decoder.UnmarshalJSON([]byte(c.payload))
	}
	if target.Elem().Kind() != reflect.Struct {
		return json.Unmarshal([]byte(c.payload), into)
	}
	return c.decodeFields(target.Elem(), nil)
}

// innermost returns the pointer to what is decoded, as encoding/json finds it: behind others, which it makes, and within an interface.
func innermost(pointer reflect.Value) reflect.Value {
	for {
		if _, decodes := pointer.Interface().(json.Unmarshaler); decodes {
			return pointer
		}
		next := pointer.Elem()
		if next.Kind() == reflect.Interface {
			next = next.Elem()
		} else if next.Kind() == reflect.Pointer && next.IsNil() {
			next.Set(reflect.New(next.Type().Elem()))
		}
		if next.Kind() != reflect.Pointer || next.IsNil() || next.Pointer() == pointer.Pointer() {
			return pointer
		}
		pointer = next
	}
}

// decodeFields fills a structure. It is a part of those of the types `within`, which are not parts of themselves.
func (c *Claims) decodeFields(target reflect.Value, within []reflect.Type) error {
	within = append(within, target.Type())
	for index := 0; index < target.NumField(); index++ {
		if err := c.decodeField(target.Field(index), target.Type().Field(index), within); err != nil {
			return err
		}
	}
	return nil
}

func (c *Claims) decodeField(into reflect.Value, field reflect.StructField, within []reflect.Type) error {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	if field.Anonymous && name == "" {
		switch {
		case field.Type.Kind() == reflect.Struct:
			return c.decodeFields(into, within)
		case field.Type.Kind() == reflect.Pointer && field.Type.Elem().Kind() == reflect.Struct:
			return c.decodePart(into, within)
		}
	}
	if !field.IsExported() || name == "-" {
		return nil
	}
	if name == "" {
		name = field.Name
	}
	if !c.Has(name) {
		return nil
	}
	if err := c.Claim(name, into.Addr().Interface()); err != nil {
		return fmt.Errorf("assay: claim %s: %w", name, err)
	}
	return nil
}

// decodePart fills what an embedded pointer has, and makes it if a claim is there for it.
func (c *Claims) decodePart(pointer reflect.Value, within []reflect.Type) error {
	for _, outer := range within {
		if outer == pointer.Type().Elem() {
			return nil
		}
	}
	if !pointer.IsNil() {
		return c.decodeFields(pointer.Elem(), within)
	}
	made := reflect.New(pointer.Type().Elem())
	if err := c.decodeFields(made.Elem(), within); err != nil || made.Elem().IsZero() {
		return err
	}
	if !pointer.CanSet() {
		return fmt.Errorf("assay: Decode cannot make the embedded %s, which is not exported", pointer.Type())
	}
	pointer.Set(made)
	return nil
}

// oneSpelling refuses an object with two names that encoding/json would put into one field.
func oneSpelling(raw string) error {
	if strings.IndexByte(raw, '{') < 0 {
		return nil
	}
	var value any
	if err := json.Unmarshal([]byte(raw), &value); err != nil {
		return err
	}
	return spelledOnce(value)
}

func spelledOnce(value any) error {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			if err := spelledOnce(element); err != nil {
				return err
			}
		}
	case map[string]any:
		var names []string
		for name, member := range value {
			for _, other := range names {
				if strings.EqualFold(name, other) {
					return fmt.Errorf("assay: the names %q and %q differ in case alone", name, other)
				}
			}
			names = append(names, name)
			if err := spelledOnce(member); err != nil {
				return err
			}
		}
	}
	return nil
}
