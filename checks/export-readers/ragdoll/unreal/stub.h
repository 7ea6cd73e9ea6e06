// The parts of Unreal's interface that the script uses, after its headers, so that a compiler can check the script.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#define TEXT(x) L##x
using int32 = std::int32_t;
using TCHAR = wchar_t;

struct FString
{
	std::wstring Data;
	FString() = default;
	FString(const TCHAR* Text) : Data(Text) {}
	const TCHAR* operator*() const { return Data.c_str(); }
	bool operator==(const TCHAR* Other) const { return Data == Other; }
};
struct FName { FName() = default; explicit FName(const TCHAR*) {} };
struct FText {};

template <class T> struct TArray
{
	std::vector<T> Items;
	int32 Num() const { return static_cast<int32>(Items.size()); }
	int32 Add(const T& Item) { Items.push_back(Item); return Num() - 1; }
	T& operator[](int32 Index) { return Items[static_cast<std::size_t>(Index)]; }
	const T& operator[](int32 Index) const { return Items[static_cast<std::size_t>(Index)]; }
	auto begin() const { return Items.begin(); }
	auto end() const { return Items.end(); }
};
template <class T> using TSharedPtr = std::shared_ptr<T>;
template <class T> using TObjectPtr = T*;

struct FVector
{
	double X, Y, Z;
	FVector(double InX, double InY, double InZ) : X(InX), Y(InY), Z(InZ) {}
	FVector operator*(double S) const { return FVector(X * S, Y * S, Z * S); }
	FVector operator+(const FVector& V) const { return FVector(X + V.X, Y + V.Y, Z + V.Z); }
};
struct FRotator {};
struct FQuat
{
	FQuat(double, double, double, double) {}
	FRotator Rotator() const { return {}; }
	FVector RotateVector(FVector V) const { return V; }
};
struct FTransform { explicit FTransform(const FQuat&) {} FTransform(const FQuat&, const FVector&) {} };
struct FMath { static double RadiansToDegrees(double Angle) { return Angle; } };

struct FJsonObject;
struct FJsonValue
{
	double AsNumber() const { return 0; }
	const TSharedPtr<FJsonObject>& AsObject() const { return Object; }
	TSharedPtr<FJsonObject> Object;
};
struct FJsonObject
{
	TArray<TSharedPtr<FJsonValue>> Values;
	TSharedPtr<FJsonObject> Object;
	const TArray<TSharedPtr<FJsonValue>>& GetArrayField(const TCHAR*) const { return Values; }
	const TSharedPtr<FJsonObject>& GetObjectField(const TCHAR*) const { return Object; }
	double GetNumberField(const TCHAR*) const { return 0; }
	FString GetStringField(const TCHAR*) const { return {}; }
};
struct FJsonReader {};
template <class T = TCHAR> struct TJsonReaderFactory { static FJsonReader Create(const FString&) { return {}; } };
struct FJsonSerializer { static bool Deserialize(const FJsonReader&, TSharedPtr<FJsonObject>&) { return true; } };
struct FFileHelper { static bool LoadFileToString(FString&, const TCHAR*) { return true; } };

struct FKShapeElem { FVector Center{0, 0, 0}; FRotator Rotation; };
struct FKSphereElem : FKShapeElem { explicit FKSphereElem(float) {} };
struct FKSphylElem : FKShapeElem { FKSphylElem(float, float) {} };
struct FKBoxElem : FKShapeElem { FKBoxElem(float, float, float) {} };
struct FKConvexElem { TArray<FVector> VertexData; void UpdateElemBox() {} };
struct FKAggregateGeom
{
	TArray<FKSphereElem> SphereElems;
	TArray<FKSphylElem> SphylElems;
	TArray<FKBoxElem> BoxElems;
	TArray<FKConvexElem> ConvexElems;
	void EmptyElements() {}
};
struct FBodyInstance { void SetMassOverride(float, bool = true) {} };
struct USkeletalBodySetup { FKAggregateGeom AggGeom; FBodyInstance DefaultInstance; };

namespace EConstraintFrame { enum Type { Frame1, Frame2 }; }
enum EAngularConstraintMotion { ACM_Free, ACM_Limited, ACM_Locked };
struct FConstraintInstance
{
	FName ConstraintBone1, ConstraintBone2;
	void SetRefFrame(EConstraintFrame::Type, const FTransform&) {}
	void SetAngularTwistLimit(EAngularConstraintMotion, float) {}
	void SetAngularSwing1Limit(EAngularConstraintMotion, float) {}
	void SetAngularSwing2Limit(EAngularConstraintMotion, float) {}
};
struct UPhysicsConstraintTemplate { FConstraintInstance DefaultInstance; void SetDefaultProfile(FConstraintInstance&) {} };
struct UPhysicsAsset
{
	TArray<TObjectPtr<USkeletalBodySetup>> SkeletalBodySetups;
	TArray<TObjectPtr<UPhysicsConstraintTemplate>> ConstraintSetup;
	void DisableCollision(int32, int32) {}
	void UpdateBodySetupIndexMap() {}
	void UpdateBoundsBodiesArray() {}
};
struct FPhysAssetCreateParams {};
namespace FPhysicsAssetUtils
{
inline int32 CreateNewBody(UPhysicsAsset*, FName, const FPhysAssetCreateParams&) { return 0; }
inline int32 CreateNewConstraint(UPhysicsAsset*, FName, UPhysicsConstraintTemplate* = nullptr) { return 0; }
}
